#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interp/interpreter.h"
#include "plan/environment.h"
#include "session/check_inputs.h"
#include "session/segment.h"
#include "session/value_ranges.h"

namespace pliant::session {

/// Runs plans beside the interpreter on made-up inputs, before anybody uses them. Thread-safe.
class SelfCheck {
 public:
  /// `environment` and the others are kept alive by the caller. `reproducer_folder` may be empty.
  SelfCheck(interp::Interpreter& interpreter, const plan::Environment& environment,
            const ValueRanges& ranges, std::string reproducer_folder)
      : interpreter_(interpreter),
        environment_(environment),
        ranges_(ranges),
        reproducer_folder_(std::move(reproducer_folder)) {}

  struct Verdict {
    int agreeing = 0;          ///< points at which both tiers gave the same
    int skipped = 0;           ///< that cost too much, or that neither tier accepts
    std::string difference{};  ///< in words; empty: none
    std::string reproducer{};  ///< the folder where one was written
  };

  /// `seen` are sizes that occurred, `highest` the greatest that did, both inside the box of the
  /// plan; empty where there were none. Results have to be the same bit for bit, or near each other
  /// where the segment was compiled with fusions that round differently (relative 1e-3, absolute
  /// 1e-4).
  [[nodiscard]] Verdict check(const Segment& segment, const plan::Plan& plan,
                              shapes::Signature seen, shapes::Signature highest) const;

 private:
  [[nodiscard]] std::string compare(const Segment& segment, const plan::Plan& plan,
                                    const CheckInputs& inputs, plan::Workspace& workspace,
                                    bool& was_skipped) const;

  interp::Interpreter& interpreter_;
  const plan::Environment& environment_;
  const ValueRanges& ranges_;
  const std::string reproducer_folder_;
};

/// Where a plan is checked: the lowest point of its box, the highest seen, and one in between, each
/// once. Elements of inputs stay as they were seen, since most values of them mean nothing.
[[nodiscard]] std::vector<std::vector<std::int64_t>> check_points(const plan::Plan& plan,
                                                                  shapes::Signature seen,
                                                                  shapes::Signature highest);

}  // namespace pliant::session
