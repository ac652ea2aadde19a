#pragma once

#include <pliant/plan_options.h>

#include "base/result.h"

namespace pliant::shapes {

/// kInvalidArgument for the first number among the options that lies outside its range, naming both.
[[nodiscard]] Status check_options(const PlanOptions& options);

}  // namespace pliant::shapes
