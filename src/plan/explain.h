#pragma once

#include <string>

#include "plan/environment.h"
#include "plan/plan.h"
#include "plan/run.h"

namespace pliant::plan {

/// Describes for people what a plan does at the sizes of one run: below each step its types and
/// shapes, the kernel that was chosen and why not another, what of a group runs inside it, copies
/// and scratch memory; then where each tensor lies in memory. Everything is bound as for a run, in
/// memory of its own, and nothing is executed. Where sizes cannot be laid out, the text says so.
[[nodiscard]] std::string explain(const Plan& plan, const RunArguments& arguments,
                                  const Environment& environment);

}  // namespace pliant::plan
