#pragma once

#include <memory>

#include "base/cpu_features.h"
#include "plan/capture.h"
#include "plan/plan.h"

namespace pliant::plan {

/// How programs are compiled. Plain values.
struct CompileOptions {
  CpuLevel level = CpuLevel::kPortable;
  /// Whether fusions may round differently from the instructions that they replace.
  bool rounding_fusions = true;
};

/// A segment, compiled for any size: what narrower plans start from. Immutable; shared by threads.
struct CompiledSegment {
  Graph graph;                        ///< simplified and fused; not yet grouped
  std::shared_ptr<const Plan> floor;  ///< the plan for any size; null if nothing could be planned
  DeclineReason end_reason = DeclineReason::kNone;  ///< why the segment ends where it ends
  CompileOptions options;
};

/// Captures and compiles instructions from `first` up to `limit` or the first that cannot be
/// planned. The floor's [first, end) says what was taken; no floor if not even the first could be.
[[nodiscard]] CompiledSegment compile_segment(const Program& program, const RegisterUses& uses,
                                              std::size_t first, std::size_t limit,
                                              const KnownRanks& ranks,
                                              const CompileOptions& options);

/// Compiles the segment for a narrower box. Whether that brings anything is for the caller to ask:
/// same_steps(). Null, with the reason, when nothing comes out.
[[nodiscard]] std::shared_ptr<const Plan> compile_for(const CompiledSegment& segment,
                                                      const shapes::Box& box,
                                                      DeclineReason& reason);

}  // namespace pliant::plan
