#pragma once

#include <memory>
#include <span>

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
  CompileOptions options;
};

/// Captures and compiles instructions up to the limit or the first that cannot be planned. The
/// floor's [first, end) says what was taken; no floor if not even the first could be. Entries in
/// `exact` have these values alone, also in the floor's box.
[[nodiscard]] CompiledSegment compile_segment(const Stretch& stretch, const KnownRanks& ranks,
                                              std::span<const ExactValue> exact,
                                              const CompileOptions& options);

/// Compiles the segment for a narrower box. Whether that brings anything is for the caller to ask:
/// same_steps(). Null, with the reason, when nothing comes out.
[[nodiscard]] std::shared_ptr<const Plan> compile_for(const CompiledSegment& segment,
                                                      const shapes::Box& box,
                                                      DeclineReason& reason);

}  // namespace pliant::plan
