#pragma once

#include <cstddef>
#include <string_view>

#include "plan/run.h"
#include "session/segment_plans.h"

namespace pliant::session {

/// Is told how the segments of one run were executed, in order.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// `arguments` are what the plan was given.
  virtual void planned(const SegmentPlans& segment, const cache::CachedPlan& plan,
                       const plan::RunArguments& arguments) = 0;
  /// A segment has no plan for the values of this run; what is told next takes its place.
  virtual void passed_over(std::string_view segment, std::string_view reason) = 0;
  /// The interpreter takes instructions [first, end), or as many of them as the run comes to.
  virtual void interpreted(std::size_t first, std::size_t end, std::string_view reason) = 0;

 protected:
  RunObserver() = default;
  RunObserver(const RunObserver&) = default;
  RunObserver& operator=(const RunObserver&) = default;
};

}  // namespace pliant::session
