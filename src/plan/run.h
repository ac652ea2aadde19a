#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/decline_reason.h"
#include "plan/environment.h"
#include "plan/plan.h"
#include "plan/run_recorder.h"
#include "plan/workspace.h"

namespace pliant::plan {

/// What one run of a plan is given.
struct RunArguments {
  shapes::Signature signature;             ///< values of Plan::entries; inside Plan::box
  std::span<const StoredTensor> live_ins;  ///< by Plan::live_ins
  std::uint64_t run_number = 0;            ///< random numbers depend on it
};

/// What it leaves behind, by Plan::live_outs.
struct RunResults {
  std::vector<StoredTensor> tensors;  ///< program outputs are row-major with memory of their own
  std::vector<std::int64_t> sizes;    ///< of size registers
  bool newly_bound = false;           ///< the signature was not remembered
  std::size_t stopped_at = 0;         ///< with kStopped: the instruction of the program
};

/// Runs a plan at the sizes of the arguments. `workspace` is this run's alone. When the plan cannot
/// serve the run (sizes that do not fit, an index out of range, no memory), the reason is returned
/// and nothing has happened: the interpreter takes the run and reports what there is to report. A run
/// that is stopped (ParallelFor::is_stopped()) gives kStopped; the interpreter is not to take it.
/// `recorder` may be null.
[[nodiscard]] DeclineReason run(const Plan& plan, const RunArguments& arguments,
                                const Environment& environment, Workspace& workspace,
                                RunResults& results, RunRecorder* recorder = nullptr);

}  // namespace pliant::plan
