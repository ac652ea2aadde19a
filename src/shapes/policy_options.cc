#include "shapes/policy_options.h"

#include <limits>
#include <string_view>

namespace pliant::shapes {
namespace {

Status check_range(std::string_view name, std::int64_t value, std::int64_t low, std::int64_t high,
                   std::string_view unit = "") {
  if (value >= low && value <= high) {
    return {};
  }
  return make_error(ErrorCode::kInvalidArgument,
                    "option {} lies outside its range {}..{}{}: it is {}", name, low, high, unit,
                    value);
}

Status check_range(std::string_view name, std::size_t value, std::size_t low, std::size_t high) {
  if (value >= low && value <= high) {
    return {};
  }
  return make_error(ErrorCode::kInvalidArgument,
                    "option {} lies outside its range {}..{}: it is {}", name, low, high, value);
}

constexpr std::int64_t kDayInMilliseconds = 24LL * 60 * 60 * 1000;

}  // namespace

Status check_options(const PlanOptions& options) {
  PLIANT_RETURN_IF_ERROR(check_range("min_compile_iters", options.min_compile_iters, 1, 1'000'000));
  PLIANT_RETURN_IF_ERROR(check_range("half_life_runs", options.half_life_runs, 1, 1'000'000));
  PLIANT_RETURN_IF_ERROR(check_range("bucket_width", options.bucket_width, 1, 65'536));
  PLIANT_RETURN_IF_ERROR(
      check_range("max_counted_boxes", options.max_counted_boxes, std::size_t{2}, 1'048'576));
  PLIANT_RETURN_IF_ERROR(check_range("max_plans", options.max_plans, std::size_t{1}, 65'536));
  PLIANT_RETURN_IF_ERROR(check_range("max_plan_bytes", options.max_plan_bytes, std::size_t{1},
                                     std::numeric_limits<std::size_t>::max()));
  PLIANT_RETURN_IF_ERROR(
      check_range("breaker_new_boxes", options.breaker_new_boxes, std::size_t{0}, 65'536));
  PLIANT_RETURN_IF_ERROR(
      check_range("breaker_window", options.breaker_window.count(), 1, kDayInMilliseconds, " ms"));
  PLIANT_RETURN_IF_ERROR(check_range("breaker_calm_period", options.breaker_calm_period.count(), 0,
                                     kDayInMilliseconds, " ms"));
  PLIANT_RETURN_IF_ERROR(
      check_range("warm_up_boxes", options.warm_up_boxes, std::size_t{0}, 65'536));
  return check_range("max_profile_signatures", options.max_profile_signatures, std::size_t{1},
                     65'536);
}

}  // namespace pliant::shapes
