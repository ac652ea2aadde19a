#pragma once

#include <cstdint>
#include <vector>

#include "plan/plan.h"

namespace pliant::plan {

/// All sizes of a run of a plan: fills `slots` of the shape program, asks the shape rules of the
/// program, and compares what they say with what the compiler computed with. False when a size
/// overflows, a rule refuses, or anything differs: the interpreter then finds the words.
[[nodiscard]] bool compute_sizes(const Plan& plan, shapes::Signature signature,
                                 std::vector<std::int64_t>& slots);

}  // namespace pliant::plan
