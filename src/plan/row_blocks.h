#pragma once

#include <string>

#include "plan/bound_run.h"
#include "plan/environment.h"
#include "plan/plan.h"

namespace pliant::plan {

/// Says which calls of a run that has been laid out run together (BoundRun::row_blocks): those of
/// steps that the compiler has joined, if all tensors are dense, rows are short enough for several
/// tensors' rows to be in cache, and enough is read that would have left the cache.
void find_row_blocks(const Plan& plan, const Scratchpad& scratchpad, BoundRun& run);

/// Why the calls of the steps that the compiler has joined, the first of them `first_step`, do not run
/// together in a run that has just been laid out; empty if they do.
[[nodiscard]] std::string why_rows_run_apart(const Plan& plan, const Scratchpad& scratchpad,
                                             const BoundRun& run, int first_step);

/// Runs calls together. Threads: blocks of rows are split over the environment's threads.
void run_row_blocks(const RowBlocks& blocks, const BoundRun& run, const Environment& environment,
                    std::byte* arena);

}  // namespace pliant::plan
