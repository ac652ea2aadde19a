#pragma once

#include <span>
#include <string>

#include "plan/bound_run.h"
#include "plan/plan.h"

namespace pliant::plan {

/// Where the tensors of a run lie, as text for people: each stretch of the arena with its offset,
/// its bytes, the first and last step that need it and what it holds; what is handed out; the total
/// beside the least that any assignment takes. `calls` are those of the run by position, `values`
/// the names of Plan::values.
[[nodiscard]] std::string memory_map(const Plan& plan, const BoundRun& run,
                                     const Scratchpad& scratchpad,
                                     std::span<const CallDetails> calls,
                                     std::span<const std::string> values);

}  // namespace pliant::plan
