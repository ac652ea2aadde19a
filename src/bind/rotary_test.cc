#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/half.h"
#include "support/one_instruction.h"

namespace pliant::bind {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace ::pliant::testing;

StoredTensor floats(const Shape& shape, const std::vector<float>& values) {
  return tensor_of<float>(shape, values);
}

OneInstruction rotary(const StoredTensor& x, const StoredTensor& cosine, const StoredTensor& sine) {
  OneInstruction run(isa::Opcode::kRotary);
  run.tensor("x", x).tensor("cosine", cosine).tensor("sine", sine);
  return run;
}
StoredTensor result_of(OneInstruction run) {
  auto results = run();
  EXPECT_TRUE(results.has_value()) << (results ? "" : results.error().message);
  return results ? (*results)[0] : StoredTensor{};
}

TEST(RotaryTest, TurnsHalvesOrNeighbours) {
  const StoredTensor x = floats({1, 1, 1, 4}, {1, 2, 3, 4});
  const StoredTensor cosine = floats({1, 1, 2}, {0, 2});
  const StoredTensor sine = floats({1, 1, 2}, {1, 3});
  EXPECT_THAT(values_of<float>(result_of(rotary(x, cosine, sine)).view),
              ElementsAre(-3, -8, 1, 14));
  EXPECT_THAT(
      values_of<float>(result_of(rotary(x, cosine, sine).set("interleaved", isa::flag(true))).view),
      ElementsAre(-2, 1, -6, 17));
}

TEST(RotaryTest, CopiesWhatIsNotRotated) {
  const StoredTensor x = floats({1, 1, 1, 5}, {1, 2, 3, 4, 5});
  EXPECT_THAT(values_of<float>(result_of(rotary(x, floats({1, 1, 1}, {0}), floats({1, 1, 1}, {1}))
                                             .set("rotated", isa::number(2)))
                                   .view),
              ElementsAre(-2, 1, 3, 4, 5));
}

TEST(RotaryTest, TablesBroadcastOverTheBatchOrFollowPositions) {
  const StoredTensor x = floats({2, 1, 2, 2}, {1, 0, 1, 0, 1, 0, 1, 0});
  const StoredTensor cosine = floats({1, 2, 1}, {10, 20});
  const StoredTensor sine = floats({1, 2, 1}, {1, 2});
  EXPECT_THAT(values_of<float>(result_of(rotary(x, cosine, sine)).view),
              ElementsAre(10, 1, 20, 2, 10, 1, 20, 2));
  const StoredTensor cosine_rows = floats({3, 1}, {10, 20, 30});
  const StoredTensor sine_rows = floats({3, 1}, {1, 2, 3});
  const StoredTensor positions = tensor_of<std::int64_t>({2, 2}, {2, 0, 1, 1});
  EXPECT_THAT(values_of<float>(
                  result_of(rotary(x, cosine_rows, sine_rows).tensor("positions", positions)).view),
              ElementsAre(30, 3, 10, 1, 20, 2, 20, 2));
}

TEST(RotaryTest, FollowsStrides) {
  const StoredTensor x = random_tensor({2, 3, 4, 6}, 1);
  const StoredTensor cosine = random_tensor({2, 4, 3}, 2);
  const StoredTensor sine = random_tensor({2, 4, 3}, 3);
  const int order[] = {3, 0, 2, 1};
  const int table_order[] = {2, 1, 0};
  EXPECT_EQ(values_of<float>(result_of(rotary(with_memory_order(x, order),
                                              with_memory_order(cosine, table_order), sine))
                                 .view),
            values_of<float>(result_of(rotary(x, cosine, sine)).view));
}

TEST(RotaryTest, OtherFloatTypes) {
  const auto half = [](float value) { return to_half(value); };
  const StoredTensor x = tensor_of<Half>({1, 1, 1, 2}, {half(1), half(2)});
  const StoredTensor dst = result_of(
      rotary(x, tensor_of<Half>({1, 1, 1}, {half(0.5f)}), tensor_of<Half>({1, 1, 1}, {half(1)})));
  EXPECT_EQ(to_float(values_of<Half>(dst.view)[0]), -1.5f);
  EXPECT_EQ(to_float(values_of<Half>(dst.view)[1]), 2.0f);
  const StoredTensor wide =
      result_of(rotary(tensor_of<double>({1, 1, 1, 2}, {1, 2}), tensor_of<double>({1, 1, 1}, {0.5}),
                       tensor_of<double>({1, 1, 1}, {1})));
  EXPECT_THAT(values_of<double>(wide.view), ElementsAre(-1.5, 2.0));
}

TEST(RotaryTest, RefusesPositionsOutsideTheTables) {
  const StoredTensor x = floats({1, 1, 1, 2}, {1, 0});
  for (const std::int64_t position : {std::int64_t{-1}, std::int64_t{3}}) {
    auto result = rotary(x, floats({3, 1}, {1, 2, 3}), floats({3, 1}, {1, 2, 3}))
                      .tensor("positions", tensor_of<std::int64_t>({1, 1}, {position}))();
    ASSERT_FALSE(result.has_value());
    EXPECT_THAT(result.error().message, HasSubstr("rows are 3"));
  }
}

TEST(RotaryTest, RefusesOddWidths) {
  auto result =
      rotary(floats({1, 1, 1, 3}, {1, 2, 3}), floats({1, 1, 1}, {1}), floats({1, 1, 1}, {1}))();
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("width is 3"));
}

}  // namespace
}  // namespace pliant::bind
