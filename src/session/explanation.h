#pragma once

#include <string>

#include "plan/environment.h"
#include "session/run_observer.h"

namespace pliant::session {

/// Describes for people how the segments of a run were executed, and the plans that did it.
class Explanation final : public RunObserver {
 public:
  /// All that is given must outlive this; `asked` is the tier of the run.
  Explanation(const Program& program, const plan::Environment& environment,
              const PlanOptions& options, Tier asked);

  void planned(const SegmentPlans& segment, const cache::CachedPlan& plan,
               const plan::RunArguments& arguments) override;
  void passed_over(std::string_view segment, std::string_view reason) override;
  void interpreted(std::size_t first, std::size_t end, std::string_view reason) override;

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  const Program& program_;
  const plan::Environment& environment_;
  const PlanOptions& options_;
  const Tier asked_;
  std::string text_;
};

}  // namespace pliant::session
