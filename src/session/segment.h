#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "interp/interpreter.h"
#include "plan/compile.h"
#include "plan/run.h"

namespace pliant::session {

/// A stretch of a program that plans can run, for one set of ranks: what was compiled for it, and
/// how a run's values get in and out. Immutable.
class Segment {
 public:
  explicit Segment(plan::CompiledSegment compiled) : compiled_(std::move(compiled)) {}

  /// Whether not even its first instruction can be planned.
  [[nodiscard]] bool is_empty() const { return compiled_.graph.end == compiled_.graph.first; }
  [[nodiscard]] const plan::CompiledSegment& compiled() const { return compiled_; }
  [[nodiscard]] std::size_t end() const { return compiled_.graph.end; }

  /// Fills in what a run brings to the segment: its signature and live-ins.
  void gather(const interp::Execution& execution, std::vector<std::int64_t>& signature,
              std::vector<StoredTensor>& live_ins) const;

  /// Leaves the results of a plan of this segment behind and goes on behind the segment.
  static void scatter(const plan::Plan& plan, plan::RunResults& results,
                      interp::Execution& execution);

 private:
  plan::CompiledSegment compiled_;
};

}  // namespace pliant::session
