#pragma once

#include "plan/plan.h"

namespace pliant::plan {

/// Whether two plans of one segment do the same: the same instructions on the same values in the
/// same order, grouped alike. Sizes that one of them knows beforehand do not count, since they are
/// computed before the first step and cost nothing there.
[[nodiscard]] bool same_steps(const Plan& a, const Plan& b);

}  // namespace pliant::plan
