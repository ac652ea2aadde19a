#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/one_instruction.h"

// TOP_K, NON_ZERO, COMPRESS and NMS.

namespace pliant::testing {
namespace {

using isa::Opcode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<StoredTensor> run(OneInstruction& instruction) {
  auto results = instruction();
  EXPECT_TRUE(results.has_value()) << (results ? "" : results.error().message);
  return results ? *results : std::vector<StoredTensor>{};
}

std::vector<std::int64_t> top_indices(const StoredTensor& x, std::int64_t k, std::int64_t axis,
                                      isa::Order order) {
  OneInstruction instruction(Opcode::kTopK);
  instruction.tensor("x", x)
      .set("k", isa::number(k))
      .set("axis", isa::number(axis))
      .set("order", isa::choice(order));
  return values_of<std::int64_t>(run(instruction)[1].view);
}

TEST(TopK, TiesGoToTheLowerIndex) {
  const StoredTensor x = tensor_of<float>({6}, {1, 3, -0.0f, 3, 0.0f, 1});
  EXPECT_THAT(top_indices(x, 6, 0, isa::Order::kLargest), ElementsAre(1, 3, 0, 5, 2, 4));
  EXPECT_THAT(top_indices(x, 6, 0, isa::Order::kSmallest), ElementsAre(2, 4, 0, 5, 1, 3));
  EXPECT_THAT(top_indices(x, 2, -1, isa::Order::kLargest), ElementsAre(1, 3));
}

TEST(TopK, NaNCountsAsLargest) {
  const float infinity = std::numeric_limits<float>::infinity();
  const StoredTensor x = tensor_of<float>({4}, {infinity, NAN, -infinity, 0});
  EXPECT_THAT(top_indices(x, 4, 0, isa::Order::kLargest), ElementsAre(1, 0, 3, 2));
  EXPECT_THAT(top_indices(x, 4, 0, isa::Order::kSmallest), ElementsAre(2, 3, 0, 1));
}

TEST(TopK, OtherAxesAndTypes) {
  OneInstruction instruction(Opcode::kTopK);
  instruction.tensor("x", tensor_of<std::int8_t>({3, 2}, {1, -5, 7, 2, -9, 3}))
      .set("k", isa::number(2))
      .set("axis", isa::number(0));
  const auto results = run(instruction);
  EXPECT_THAT(values_of<std::int8_t>(results[0].view), ElementsAre(7, 3, 1, 2));
  EXPECT_THAT(values_of<std::int64_t>(results[1].view), ElementsAre(1, 2, 0, 1));
  EXPECT_THAT(
      top_indices(tensor_of<std::uint64_t>({3}, {1, UINT64_MAX, 0}), 3, 0, isa::Order::kLargest),
      ElementsAre(1, 0, 2));
  EXPECT_THAT(top_indices(tensor_of<std::int64_t>({3}, {INT64_MIN, INT64_MAX, 0}), 3, 0,
                          isa::Order::kSmallest),
              ElementsAre(0, 2, 1));
}

TEST(TopK, HeapAndSortAgree) {
  const StoredTensor x = random_tensor({4, 1000}, 5);
  const std::vector<std::int64_t> all = top_indices(x, 1000, 1, isa::Order::kLargest);
  for (const std::int64_t k : {1, 2, 100, 125, 126, 999}) {
    const std::vector<std::int64_t> some = top_indices(x, k, 1, isa::Order::kLargest);
    for (std::int64_t row = 0; row < 4; ++row) {
      EXPECT_TRUE(std::equal(some.begin() + row * k, some.begin() + (row + 1) * k,
                             all.begin() + row * 1000))
          << k;
    }
  }
}

TEST(TopK, NoneAndTooMany) {
  const StoredTensor x = random_tensor({1, 855}, 5);
  EXPECT_TRUE(top_indices(x, 0, 1, isa::Order::kLargest).empty());
  OneInstruction instruction(Opcode::kTopK);
  instruction.tensor("x", x).set("k", isa::number(1000));
  EXPECT_THAT(instruction().error().message, HasSubstr("k is 1000, axis 1 of x has extent 855"));
}

StoredTensor non_zero(const StoredTensor& x) {
  OneInstruction instruction(Opcode::kNonZero);
  instruction.tensor("x", x);
  return run(instruction)[0];
}

TEST(NonZero, CoordinatesInRowMajorOrder) {
  const StoredTensor matrix = non_zero(tensor_of<float>({2, 2}, {-0.0f, 7, NAN, 0}));
  EXPECT_EQ(matrix.view.shape, (Shape{2, 2}));
  EXPECT_THAT(values_of<std::int64_t>(matrix.view), ElementsAre(0, 1, 1, 0));
  EXPECT_EQ(non_zero(tensor_of<float>({}, {0})).view.shape, (Shape{0, 0}));
  EXPECT_EQ(non_zero(tensor_of<float>({}, {5})).view.shape, (Shape{0, 1}));
  EXPECT_EQ(non_zero(tensor_of<std::uint8_t>({3, 4}, std::vector<std::uint8_t>(12, 0))).view.shape,
            (Shape{2, 0}));
  EXPECT_EQ(non_zero(tensor_of<float>({0, 3}, {})).view.shape, (Shape{2, 0}));
}

TEST(NonZero, LargeAndStrided) {
  std::vector<std::int32_t> values(30000);
  std::vector<std::int64_t> expected;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i % 7 == 3 ? 1 : 0;
    if (values[i] != 0) {
      expected.push_back(static_cast<std::int64_t>(i));
    }
  }
  EXPECT_EQ(values_of<std::int64_t>(non_zero(tensor_of<std::int32_t>({30000}, values)).view),
            expected);
  const StoredTensor matrix = tensor_of<std::int32_t>({100, 300}, values);
  const int order[] = {1, 0};
  EXPECT_EQ(values_of<std::int64_t>(non_zero(matrix).view),
            values_of<std::int64_t>(non_zero(with_memory_order(matrix, order)).view));
}

StoredTensor compressed(const StoredTensor& x, const std::vector<bool>& condition,
                        isa::Operand axis) {
  StoredTensor mask = new_tensor(DType::kBool, {static_cast<std::int64_t>(condition.size())});
  std::copy(condition.begin(), condition.end(), mask.view.as<bool>());
  OneInstruction instruction(Opcode::kCompress);
  instruction.tensor("x", x).tensor("condition", mask).set("axis", std::move(axis));
  return run(instruction)[0];
}

TEST(Compress, AxesFlattenedAndShortConditions) {
  const StoredTensor x = tensor_of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(values_of<float>(compressed(x, {false, true, true}, isa::number(0)).view),
              ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(values_of<float>(compressed(x, {false, true}, isa::number(1)).view),
              ElementsAre(2, 4, 6));
  EXPECT_THAT(values_of<float>(compressed(x, {true}, isa::number(1)).view), ElementsAre(1, 3, 5));
  EXPECT_THAT(
      values_of<float>(compressed(x, {false, true, false, false, true}, isa::absent()).view),
      ElementsAre(2, 5));
  EXPECT_EQ(compressed(x, {false, false, false}, isa::number(0)).view.shape, (Shape{0, 2}));
  const int order[] = {1, 0};
  EXPECT_THAT(
      values_of<float>(
          compressed(with_memory_order(x, order), {false, true, true}, isa::number(0)).view),
      ElementsAre(3, 4, 5, 6));
}

TEST(NonMaxSuppression, KeepsTheBestOfEachGroup) {
  const StoredTensor boxes =
      tensor_of<float>({1, 6, 4}, {0, 0,  1, 1,  0, 0.1f,  1, 1.1f,  0, -0.1f, 1, 0.9f,
                                   0, 10, 1, 11, 0, 10.1f, 1, 11.1f, 0, 100,   1, 101});
  const StoredTensor scores = tensor_of<float>({1, 1, 6}, {0.9f, 0.75f, 0.6f, 0.95f, 0.5f, 0.3f});
  const auto selected = [&](std::int64_t limit, float threshold) {
    OneInstruction instruction(Opcode::kNonMaxSuppression);
    instruction.tensor("boxes", boxes)
        .tensor("scores", scores)
        .set("limit", isa::number(limit))
        .tensor("overlap", tensor_of<float>({1}, {0.5f}))
        .tensor("threshold", tensor_of<float>({1}, {threshold}));
    return values_of<std::int64_t>(run(instruction)[0].view);
  };
  EXPECT_THAT(selected(3, 0.0f), ElementsAre(0, 0, 3, 0, 0, 0, 0, 0, 5));
  EXPECT_THAT(selected(3, 0.4f), ElementsAre(0, 0, 3, 0, 0, 0));
  EXPECT_THAT(selected(1, 0.0f), ElementsAre(0, 0, 3));
  EXPECT_TRUE(selected(0, 0.0f).empty());
}

TEST(NonMaxSuppression, RefusesShapesThatDoNotFit) {
  OneInstruction instruction(Opcode::kNonMaxSuppression);
  instruction.tensor("boxes", random_tensor({1, 6, 3}, 1))
      .tensor("scores", random_tensor({1, 1, 6}, 2));
  EXPECT_THAT(instruction().error().message, HasSubstr("[batch, boxes, 4]"));
}

}  // namespace
}  // namespace pliant::testing
