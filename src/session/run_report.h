#pragma once

#include <vector>

#include <pliant/session.h>

#include "session/run_observer.h"

namespace pliant::session {

/// "kAny" and so on, for the breadth of a plan.
[[nodiscard]] Tier tier_of(shapes::Breadth breadth);

/// Writes down how the segments of a run were executed.
class RunReport final : public RunObserver {
 public:
  explicit RunReport(std::vector<SegmentRun>& runs) : runs_(runs) { runs_.clear(); }

  void planned(const SegmentPlans& segment, const cache::CachedPlan& plan,
               const plan::RunArguments& arguments) override;
  void passed_over(std::string_view /*segment*/, std::string_view /*reason*/) override {}
  void interpreted(std::size_t first, std::size_t end, std::string_view reason) override;

 private:
  std::vector<SegmentRun>& runs_;
};

}  // namespace pliant::session
