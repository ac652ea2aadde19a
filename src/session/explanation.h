#pragma once

#include <string>

#include "session/run_observer.h"

namespace pliant::session {

/// Describes for people how the segments of a run were executed, and the plans that did it.
class Explanation final : public RunObserver {
 public:
  /// The program must outlive this.
  explicit Explanation(const Program& program) : program_(program) {}

  void planned(const SegmentPlans& segment, const cache::CachedPlan& plan) override;
  void interpreted(std::size_t first, std::size_t end, std::string_view reason) override;

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  const Program& program_;
  std::string text_;
};

}  // namespace pliant::session
