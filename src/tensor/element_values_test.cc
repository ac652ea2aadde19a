#include "tensor/element_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace pliant {
namespace {

using ::testing::ElementsAre;

std::vector<std::int64_t> integers_of(const TensorView& view) {
  std::vector<std::int64_t> values;
  for_each_integer(view, [&](std::int64_t value) { values.push_back(value); });
  return values;
}

TEST(ForEachInteger, FollowsStridesInRowMajorOrder) {
  std::int32_t memory[] = {1, 2, 3, 4, 5, 6};
  EXPECT_THAT(integers_of({memory, DType::kI32, {2, 3}, {3, 1}}), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(integers_of({memory, DType::kI32, {3, 2}, {1, 3}}), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(integers_of({memory + 5, DType::kI32, {3}, {-2}}), ElementsAre(6, 4, 2));
  EXPECT_THAT(integers_of({memory + 2, DType::kI32, {2}, {0}}), ElementsAre(3, 3));
}

TEST(ForEachInteger, HandlesScalarsAndEmptyTensors) {
  std::int64_t memory[] = {7};
  EXPECT_THAT(integers_of({memory, DType::kI64, {}, {}}), ElementsAre(7));
  EXPECT_THAT(integers_of({nullptr, DType::kI64, {0}, {1}}), ElementsAre());
  EXPECT_THAT(integers_of({nullptr, DType::kI64, {2, 0}, {1, 1}}), ElementsAre());
}

TEST(ForEachInteger, ReadsEveryIntegerType) {
  std::uint64_t large[] = {std::numeric_limits<std::uint64_t>::max()};
  EXPECT_THAT(integers_of({large, DType::kU64, {1}, {1}}),
              ElementsAre(std::numeric_limits<std::int64_t>::max()));
  std::uint8_t bytes[] = {255};
  EXPECT_THAT(integers_of({bytes, DType::kU8, {1}, {1}}), ElementsAre(255));
  bool flags[] = {true, false};
  EXPECT_THAT(integers_of({flags, DType::kBool, {2}, {1}}), ElementsAre(1, 0));
}

TEST(ForEachReal, ReadsFloatsOfAnyWidth) {
  std::uint16_t halves[] = {0x3c00, 0xc000};  // 1, -2
  std::vector<double> values;
  for_each_real({halves, DType::kF16, {2}, {1}}, [&](double value) { values.push_back(value); });
  EXPECT_THAT(values, ElementsAre(1.0, -2.0));
}

}  // namespace
}  // namespace pliant
