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

/// A segment as all of its plans start from it. Immutable; shared by threads.
struct CompiledSegment {
  Graph graph;           ///< simplified and fused; not yet grouped
  shapes::Box any_size;  ///< the widest box that a plan can have
  CompileOptions options;
};

/// Captures instructions up to the limit or the first that cannot be planned. The graph's
/// [first, end) says what was taken; nothing if not even the first could be. Entries in `exact` have
/// these values alone, also in the widest box; constants that follow from them are taken to go when the
/// graph's plan goes, those of other graphs to stay as long as the program.
[[nodiscard]] CompiledSegment compile_segment(const Stretch& stretch, const KnownRanks& ranks,
                                              std::span<const ExactValue> exact,
                                              const CompileOptions& options);

/// Compiles the segment for its widest box: the floor. Null, with the reason, when nothing comes out.
[[nodiscard]] std::shared_ptr<const Plan> compile_any_size(const CompiledSegment& segment,
                                                           DeclineReason& reason);

/// Compiles the segment for a narrower box. Whether that brings anything is for the caller to ask:
/// same_steps(). Null, with the reason, when nothing comes out.
[[nodiscard]] std::shared_ptr<const Plan> compile_for(const CompiledSegment& segment,
                                                      const shapes::Box& box,
                                                      DeclineReason& reason);

}  // namespace pliant::plan
