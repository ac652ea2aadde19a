#pragma once

#include <span>

#include "plan/bound_run.h"
#include "plan/decline_reason.h"
#include "plan/environment.h"
#include "plan/plan.h"

namespace pliant::plan {

/// Turns a plan and a signature into a bound run: sizes are computed, checked with the shape rules
/// and compared with what the compiler assumed, strides and scratch memory are asked of the
/// operators, and every tensor gets its place. `live_ins` are the tensors of the run. Nothing is
/// bound yet. kNone if all went well.
[[nodiscard]] DeclineReason lay_out(const Plan& plan, shapes::Signature signature,
                                    std::span<const TensorView> live_ins,
                                    const Environment& environment, Scratchpad& scratchpad,
                                    BoundRun& run);

/// Where the buffers of one run lie.
struct Addresses {
  std::byte* arena = nullptr;
  std::span<const TensorView> live_ins;
  std::span<std::byte* const> live_outs;  ///< by Plan::live_outs
};

/// Binds all calls of a bound run that has just been laid out, and notes which have to be bound
/// again in each run.
void bind_all(const Plan& plan, const Addresses& addresses, std::uint64_t run_number,
              Scratchpad& scratchpad, BoundRun& run);

/// Binds again what depends on the single run.
void bind_again(const Plan& plan, const Addresses& addresses, std::uint64_t run_number,
                Scratchpad& scratchpad, BoundRun& run);

}  // namespace pliant::plan
