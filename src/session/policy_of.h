#pragma once

#include <pliant/plan_options.h>

#include "shapes/policy_options.h"

namespace pliant::session {

/// The numbers among the options. Errors: kInvalidArgument for the first that lies outside its
/// range, naming both.
[[nodiscard]] Result<shapes::PolicyOptions> policy_of(const PlanOptions& options);

}  // namespace pliant::session
