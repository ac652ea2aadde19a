#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "plan/bound_run.h"
#include "plan/plan.h"

namespace pliant::plan {

/// Where the buffers of one run lie.
struct Addresses {
  std::byte* arena = nullptr;
  std::span<const TensorView> live_ins;
  std::span<std::byte* const> live_outs;  ///< by Plan::live_outs
};

/// Gives a run that has just been laid out its memory in the arena, which it keeps. `scratchpad` is
/// the one that it was laid out with.
void place_in_arena(const Scratchpad& scratchpad, std::byte* arena, BoundRun& run);

/// Gives a run the memory of the caller and of its results, and binds again what depends on the
/// single run. Done before each run.
void place_run(const Plan& plan, const Addresses& addresses, std::uint64_t run_number,
               BoundRun& run);

}  // namespace pliant::plan
