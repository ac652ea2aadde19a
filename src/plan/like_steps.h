#pragma once

#include "plan/plan.h"

namespace pliant::plan {

/// Fills Plan::like_steps, from Plan::steps and Plan::last_together: models repeat themselves, layer by layer, and what the operator said about one
/// step at the sizes of a run holds for the next of its kind.
///
/// Alike are two steps of one instruction with the same attributes and sizes, whose tensors have the
/// same types and extents in every run. Steps with constants (whose elements operators may look at),
/// random numbers, checks or groups are like no other.
///
/// Where whole periods of steps come again, Plan::repetitions says so.
void find_like_steps(Plan& plan);

}  // namespace pliant::plan
