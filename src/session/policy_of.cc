#include "session/policy_of.h"

namespace pliant::session {

Result<shapes::PolicyOptions> policy_of(const PlanOptions& options) {
  shapes::PolicyOptions policy;
  policy.min_compile_iters = options.min_compile_iters;
  policy.half_life_runs = options.half_life_runs;
  policy.bucket_width = options.bucket_width;
  policy.max_counted_boxes = options.max_counted_boxes;
  policy.max_plans = options.max_plans;
  policy.max_plan_bytes = options.max_plan_bytes;
  policy.breaker_new_boxes = options.breaker_new_boxes;
  policy.breaker_window = options.breaker_window;
  policy.breaker_calm_period = options.breaker_calm_period;
  policy.warm_up_boxes = options.warm_up_boxes;
  policy.max_profile_signatures = options.max_profile_signatures;
  PLIANT_RETURN_IF_ERROR(shapes::check_options(policy));
  return policy;
}

}  // namespace pliant::session
