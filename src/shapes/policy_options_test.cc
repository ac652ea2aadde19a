#include "shapes/policy_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pliant::shapes {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string error_of(const PlanOptions& options) {
  const Status status = check_options(options);
  return status ? "" : status.error().to_string();
}

TEST(PlanOptions, DefaultsAreInRange) {
  EXPECT_EQ(error_of({}), "");
}

TEST(PlanOptions, BucketWidthsOutOfRangeAreRefusedWithRangeAndValue) {
  for (const std::int64_t width : {std::int64_t{0}, std::int64_t{-16}, std::int64_t{65'537},
                                   std::int64_t{1} << 40U, INT64_MAX, INT64_MIN}) {
    EXPECT_THAT(
        error_of({.bucket_width = width}),
        AllOf(HasSubstr("bucket_width"), HasSubstr("1..65536"), HasSubstr(std::to_string(width))));
  }
  for (const std::int64_t width : {1, 7, 16, 65'536}) {
    EXPECT_EQ(error_of({.bucket_width = width}), "");
  }
}

TEST(PlanOptions, EachHasARange) {
  using std::chrono::milliseconds;
  EXPECT_THAT(error_of({.min_compile_iters = 0}), HasSubstr("min_compile_iters"));
  EXPECT_THAT(error_of({.min_compile_iters = 1'000'001}), HasSubstr("min_compile_iters"));
  EXPECT_THAT(error_of({.half_life_runs = 0}), HasSubstr("half_life_runs"));
  EXPECT_THAT(error_of({.max_counted_boxes = 1}), HasSubstr("max_counted_boxes"));
  EXPECT_THAT(error_of({.max_plans = 0}), HasSubstr("max_plans"));
  EXPECT_THAT(error_of({.max_plan_bytes = 0}), HasSubstr("max_plan_bytes"));
  EXPECT_THAT(error_of({.breaker_new_boxes = 65'537}), HasSubstr("breaker_new_boxes"));
  EXPECT_THAT(error_of({.breaker_window = milliseconds(0)}), HasSubstr("breaker_window"));
  EXPECT_THAT(error_of({.breaker_window = milliseconds(86'400'001)}), HasSubstr("ms"));
  EXPECT_THAT(error_of({.breaker_calm_period = milliseconds(-1)}),
              HasSubstr("breaker_calm_period"));
  EXPECT_THAT(error_of({.warm_up_boxes = 65'537}), HasSubstr("warm_up_boxes"));
  EXPECT_THAT(error_of({.max_profile_signatures = 0}), HasSubstr("max_profile_signatures"));
}

}  // namespace
}  // namespace pliant::shapes
