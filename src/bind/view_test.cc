#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "support/one_instruction.h"

// View rows, and SHAPE_OF, RANK_OF and COUNT_OF.

namespace pliant::testing {
namespace {

using isa::Opcode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

StoredTensor counted(const Shape& shape) {
  std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
  std::iota(values.begin(), values.end(), 0.0f);
  return tensor_of<float>(shape, values);
}

isa::Operand sizes(const std::vector<std::int64_t>& values) {
  return isa::numbers(values);
}

std::vector<StoredTensor> run(OneInstruction& instruction) {
  auto results = instruction();
  EXPECT_TRUE(results.has_value()) << (results ? "" : results.error().message);
  return results ? *results : std::vector<StoredTensor>{};
}

TEST(Slice, StepsBackwards) {
  const auto slice = [](const StoredTensor& x, std::int64_t start, std::int64_t end,
                        std::int64_t step) {
    OneInstruction instruction(Opcode::kSlice);
    instruction.tensor("x", x)
        .set("starts", sizes({start}))
        .set("ends", sizes({end}))
        .set("steps", sizes({step}));
    return values_of<float>(run(instruction)[0].view);
  };
  EXPECT_THAT(slice(counted({10}), 9, 0, -1), ElementsAre(9, 8, 7, 6, 5, 4, 3, 2, 1));
  EXPECT_THAT(slice(counted({10}), 9, 2, -1), ElementsAre(9, 8, 7, 6, 5, 4, 3));
  EXPECT_THAT(slice(counted({10}), 9, 0, -3), ElementsAre(9, 6, 3));
  EXPECT_THAT(slice(counted({20}), 19, 0, -3), ElementsAre(19, 16, 13, 10, 7, 4, 1));
  EXPECT_THAT(slice(counted({4}), INT64_MAX, INT64_MIN, -1), ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(slice(counted({4}), 2, INT64_MAX, INT64_MAX), ElementsAre(2));
  EXPECT_THAT(slice(counted({4}), 3, 1, 1), IsEmpty());
  EXPECT_THAT(slice(counted({0}), 0, INT64_MAX, 1), IsEmpty());
}

TEST(Slice, AxesOfAMatrixWithSizesInTensors) {
  OneInstruction instruction(Opcode::kSlice);
  instruction.tensor("x", counted({3, 4}))
      .tensor("starts", tensor_of<std::int32_t>({2}, {-1, 2}))
      .tensor("ends", tensor_of<std::int32_t>({2}, {INT32_MIN, 0}))
      .tensor("axes", tensor_of<std::int64_t>({2}, {1, 0}))
      .tensor("steps", tensor_of<std::int64_t>({2}, {-2, -1}));
  EXPECT_THAT(values_of<float>(run(instruction)[0].view), ElementsAre(11, 9, 7, 5));
}

TEST(Reshape, CopiesOnlyWhenStridesDoNotAllowIt) {
  const StoredTensor x = counted({2, 3});
  const int order[] = {1, 0};
  const StoredTensor transposed = with_memory_order(x, order);
  OneInstruction merge(Opcode::kReshape);
  merge.tensor("x", transposed).set("shape", sizes({-1}));
  EXPECT_THAT(values_of<float>(run(merge)[0].view), ElementsAre(0, 1, 2, 3, 4, 5));
  OneInstruction split(Opcode::kReshape);
  split.tensor("x", transposed).set("shape", sizes({2, 1, 3, 1}));
  const auto result = run(split);
  EXPECT_EQ(result[0].view.data, transposed.view.data);
  EXPECT_THAT(values_of<float>(result[0].view), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Reshape, KeepsExplicitZeros) {
  OneInstruction first(Opcode::kReshape);
  first.tensor("x", counted({0, 8, 2})).set("shape", sizes({4, 2, -1}));
  const StoredTensor middle = run(first)[0];
  EXPECT_EQ(middle.view.shape, (Shape{4, 2, 0}));
  OneInstruction second(Opcode::kReshape);
  second.tensor("x", middle)
      .set("shape", sizes({0, 0, 4}))
      .set("zero", isa::choice(isa::ZeroExtent::kLiteral));
  EXPECT_EQ(run(second)[0].view.shape, (Shape{0, 0, 4}));
}

TEST(Transpose, ReordersAxes) {
  OneInstruction reverse(Opcode::kTranspose);
  reverse.tensor("x", counted({2, 3}));
  EXPECT_THAT(values_of<float>(run(reverse)[0].view), ElementsAre(0, 3, 1, 4, 2, 5));
  OneInstruction scalar(Opcode::kTranspose);
  scalar.tensor("x", counted({}));
  EXPECT_THAT(values_of<float>(run(scalar)[0].view), ElementsAre(0));
}

TEST(BroadcastTo, RepeatsWithoutMemory) {
  OneInstruction instruction(Opcode::kBroadcastTo);
  instruction.tensor("x", counted({3, 1}))
      .set("shape", sizes({2, 1, 2}))
      .set("rule", isa::choice(isa::Broadcast::kMutual));
  const auto result = run(instruction);
  EXPECT_EQ(result[0].view.shape, (Shape{2, 3, 2}));
  EXPECT_THAT(values_of<float>(result[0].view), ElementsAre(0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2));
}

TEST(Split, PartsShareTheMemory) {
  OneInstruction instruction(Opcode::kSplit);
  instruction.want("parts", 3).tensor("x", counted({2, 5})).set("axis", isa::number(1));
  const auto parts = run(instruction);
  EXPECT_THAT(values_of<float>(parts[0].view), ElementsAre(0, 1, 5, 6));
  EXPECT_THAT(values_of<float>(parts[1].view), ElementsAre(2, 3, 7, 8));
  EXPECT_THAT(values_of<float>(parts[2].view), ElementsAre(4, 9));
}

TEST(SqueezeAndUnsqueeze, GoBackAndForth) {
  for (const std::int64_t a : {1, 4, 8}) {
    for (const std::int64_t b : {1, 4, 8}) {
      OneInstruction unsqueeze(Opcode::kUnsqueeze);
      unsqueeze.tensor("x", counted({a, b})).set("axis", sizes({0}));
      const StoredTensor longer = run(unsqueeze)[0];
      EXPECT_EQ(longer.view.shape, (Shape{1, a, b}));
      OneInstruction shape_of(Opcode::kShapeOf);
      shape_of.tensor("x", longer);
      EXPECT_THAT(values_of<std::int64_t>(run(shape_of)[0].view), ElementsAre(1, a, b));
      OneInstruction squeeze(Opcode::kSqueeze);
      squeeze.tensor("x", longer).set("axis", sizes({0}));
      EXPECT_EQ(run(squeeze)[0].view.shape, (Shape{a, b}));
    }
  }
}

TEST(ShapesAsTensors, RangeRankAndCount) {
  OneInstruction shape_of(Opcode::kShapeOf);
  shape_of.tensor("x", counted({2, 0, 4})).set("start", isa::number(-2));
  EXPECT_THAT(values_of<std::int64_t>(run(shape_of)[0].view), ElementsAre(0, 4));
  OneInstruction rank_of(Opcode::kRankOf);
  rank_of.tensor("x", counted({2, 0, 4}));
  EXPECT_THAT(values_of<std::int64_t>(run(rank_of)[0].view), ElementsAre(3));
  OneInstruction count_of(Opcode::kCountOf);
  count_of.tensor("x", counted({}));
  EXPECT_THAT(values_of<std::int64_t>(run(count_of)[0].view), ElementsAre(1));
}

}  // namespace
}  // namespace pliant::testing
