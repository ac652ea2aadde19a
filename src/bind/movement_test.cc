#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "support/one_instruction.h"

// CONCAT, PAD, TILE, TRIANGULAR, FILL, RANGE, ONE_HOT and random numbers.

namespace pliant::testing {
namespace {

using isa::Opcode;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class T = float>
StoredTensor counted(const Shape& shape) {
  std::vector<T> values(static_cast<std::size_t>(element_count(shape)));
  std::iota(values.begin(), values.end(), T{0});
  return tensor_of<T>(shape, values);
}

isa::Operand sizes(const std::vector<std::int64_t>& values) {
  return isa::numbers(values);
}

StoredTensor result(OneInstruction& instruction) {
  auto results = instruction();
  EXPECT_TRUE(results.has_value()) << (results ? "" : results.error().message);
  return results ? (*results)[0] : new_tensor(DType::kF32, {0});
}

template <class T = float>
std::vector<T> values(OneInstruction& instruction) {
  return values_of<T>(result(instruction).view);
}

TEST(Concat, JoinsAlongAnyAxis) {
  OneInstruction rows(Opcode::kConcat);
  rows.tensors("parts", {counted({1, 2}), counted({2, 2})}).set("axis", isa::number(0));
  EXPECT_THAT(values(rows), ElementsAre(0, 1, 0, 1, 2, 3));
  OneInstruction columns(Opcode::kConcat);
  columns.tensors("parts", {counted({2, 1}), counted({2, 2})}).set("axis", isa::number(-1));
  EXPECT_THAT(values(columns), ElementsAre(0, 0, 1, 1, 2, 3));
}

TEST(Concat, EmptyPartsAddNothing) {
  const StoredTensor current = counted({1, 2, 5, 4});
  OneInstruction first_step(Opcode::kConcat);
  first_step.tensors("parts", {counted({1, 2, 0, 4}), current}).set("axis", isa::number(2));
  EXPECT_EQ(values(first_step), values_of<float>(current.view));
  OneInstruction nothing(Opcode::kConcat);
  nothing.tensors("parts", {counted({0}), counted({0})}).set("axis", isa::number(0));
  EXPECT_TRUE(values(nothing).empty());
}

TEST(Concat, KeepsChannelsLast) {
  const int order[] = {0, 2, 3, 1};
  const StoredTensor a = random_tensor({2, 3, 4, 5}, 1);
  const StoredTensor b = random_tensor({2, 6, 4, 5}, 2);
  OneInstruction plain(Opcode::kConcat);
  plain.tensors("parts", {a, b}).set("axis", isa::number(1));
  OneInstruction channels_last(Opcode::kConcat);
  channels_last.tensors("parts", {with_memory_order(a, order), with_memory_order(b, order)})
      .set("axis", isa::number(1));
  const StoredTensor joined = result(channels_last);
  EXPECT_EQ(joined.view.strides[1], 1);
  EXPECT_EQ(values_of<float>(joined.view), values(plain));
}

TEST(Concat, MixedOrdersAndManyParts) {
  const int order[] = {1, 0};
  OneInstruction mixed(Opcode::kConcat);
  mixed.tensors("parts", {counted({2, 2}), with_memory_order(counted({2, 2}), order)})
      .set("axis", isa::number(0));
  EXPECT_THAT(values(mixed), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
  std::vector<StoredTensor> parts;
  for (int i = 0; i < 64; ++i) {
    parts.push_back(tensor_of<std::int64_t>({1}, {i}));
  }
  OneInstruction many(Opcode::kConcat);
  many.tensors("parts", parts).set("axis", isa::number(0));
  EXPECT_EQ(values<std::int64_t>(many), values_of<std::int64_t>(counted<std::int64_t>({64}).view));
}

std::vector<float> padded(const StoredTensor& x, const std::vector<std::int64_t>& pads,
                          isa::PadMode mode) {
  OneInstruction instruction(Opcode::kPad);
  instruction.tensor("x", x).set("pads", sizes(pads)).set("mode", isa::choice(mode));
  return values(instruction);
}

TEST(Pad, EveryMode) {
  const StoredTensor x = tensor_of<float>({3}, {1, 2, 3});
  EXPECT_THAT(padded(x, {1, 2}, isa::PadMode::kConstant), ElementsAre(0, 1, 2, 3, 0, 0));
  EXPECT_THAT(padded(x, {2, 2}, isa::PadMode::kReflect), ElementsAre(3, 2, 1, 2, 3, 2, 1));
  EXPECT_THAT(padded(x, {2, 1}, isa::PadMode::kEdge), ElementsAre(1, 1, 1, 2, 3, 3));
  EXPECT_THAT(padded(x, {4, 2}, isa::PadMode::kWrap), ElementsAre(3, 1, 2, 3, 1, 2, 3, 1, 2));
}

TEST(Pad, NegativePadsCropFirst) {
  const StoredTensor x = counted({6});
  EXPECT_THAT(padded(x, {-2, -1}, isa::PadMode::kConstant), ElementsAre(2, 3, 4));
  EXPECT_THAT(padded(x, {-3, 2}, isa::PadMode::kConstant), ElementsAre(3, 4, 5, 0, 0));
  EXPECT_THAT(padded(x, {2, -3}, isa::PadMode::kConstant), ElementsAre(0, 0, 0, 1, 2));
  EXPECT_THAT(padded(x, {-3, 2}, isa::PadMode::kReflect), ElementsAre(3, 4, 5, 4, 3));
  EXPECT_THAT(padded(x, {-4, 2}, isa::PadMode::kWrap), ElementsAre(4, 5, 4, 5));
}

TEST(Pad, AxesValueAndMemoryOrder) {
  OneInstruction some(Opcode::kPad);
  some.tensor("x", counted({2, 2}))
      .set("pads", sizes({1, 0}))
      .set("axes", sizes({-1}))
      .tensor("value", tensor_of<float>({}, {7}));
  EXPECT_THAT(values(some), ElementsAre(7, 0, 1, 7, 2, 3));
  const int order[] = {0, 2, 3, 1};
  const StoredTensor image = random_tensor({2, 3, 4, 5}, 1);
  const std::vector<std::int64_t> pads = {0, 0, 1, 2, 0, 0, 3, 1};
  for (const auto mode : {isa::PadMode::kConstant, isa::PadMode::kReflect, isa::PadMode::kEdge,
                          isa::PadMode::kWrap}) {
    EXPECT_EQ(padded(image, pads, mode), padded(with_memory_order(image, order), pads, mode));
  }
}

TEST(Pad, EmptyAndScalarTensors) {
  EXPECT_THAT(padded(counted({0, 2}), {1, 0, 0, 0}, isa::PadMode::kConstant), ElementsAre(0, 0));
  EXPECT_THAT(padded(tensor_of<float>({}, {4}), {}, isa::PadMode::kConstant), ElementsAre(4));
}

TEST(Tile, RepeatsEveryAxis) {
  const auto tiled = [](const StoredTensor& x, const std::vector<std::int64_t>& repeats) {
    OneInstruction instruction(Opcode::kTile);
    instruction.tensor("x", x).set("repeats", sizes(repeats));
    return values(instruction);
  };
  EXPECT_THAT(tiled(counted({2, 2}), {2, 2}),
              ElementsAre(0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3));
  EXPECT_THAT(tiled(counted({2, 2}), {2, 1}), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
  EXPECT_THAT(tiled(counted({2, 1}), {1, 3}), ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_TRUE(tiled(counted({2, 2}), {0, 2}).empty());
  EXPECT_THAT(tiled(counted({}), {}), ElementsAre(0));
  const int order[] = {1, 0};
  EXPECT_EQ(tiled(counted({3, 4}), {2, 3}),
            tiled(with_memory_order(counted({3, 4}), order), {2, 3}));
}

TEST(Triangular, KeepsOneSide) {
  const auto kept = [](const Shape& shape, std::int64_t diagonal, isa::Triangle side) {
    std::vector<float> ones(static_cast<std::size_t>(element_count(shape)), 1.0f);
    OneInstruction instruction(Opcode::kTriangular);
    instruction.tensor("x", tensor_of<float>(shape, ones))
        .set("diagonal", isa::number(diagonal))
        .set("keep", isa::choice(side));
    return values(instruction);
  };
  EXPECT_THAT(kept({2, 3}, 0, isa::Triangle::kUpper), ElementsAre(1, 1, 1, 0, 1, 1));
  EXPECT_THAT(kept({2, 3}, 1, isa::Triangle::kUpper), ElementsAre(0, 1, 1, 0, 0, 1));
  EXPECT_THAT(kept({2, 3}, 0, isa::Triangle::kLower), ElementsAre(1, 0, 0, 1, 1, 0));
  EXPECT_THAT(kept({2, 3}, -1, isa::Triangle::kLower), ElementsAre(0, 0, 0, 1, 0, 0));
  EXPECT_THAT(kept({2, 3}, INT64_MAX, isa::Triangle::kUpper), Each(0));
  EXPECT_THAT(kept({2, 3}, INT64_MIN, isa::Triangle::kUpper), Each(1));
  EXPECT_THAT(kept({2, 3}, INT64_MIN, isa::Triangle::kLower), Each(0));
  EXPECT_THAT(kept({2, 0, 3}, 0, isa::Triangle::kLower), ::testing::IsEmpty());
}

TEST(Fill, AnyTypeAndShape) {
  OneInstruction instruction(Opcode::kFill);
  instruction.tensor("value", tensor_of<std::uint16_t>({1}, {9})).set("shape", sizes({2, 2}));
  EXPECT_THAT(values<std::uint16_t>(instruction), ElementsAre(9, 9, 9, 9));
}

template <class T>
std::vector<T> ranged(T start, T limit, T step) {
  OneInstruction instruction(Opcode::kRange);
  instruction.tensor("start", tensor_of<T>({}, {start}))
      .tensor("limit", tensor_of<T>({}, {limit}))
      .tensor("step", tensor_of<T>({}, {step}));
  return values<T>(instruction);
}

TEST(Range, CountsUpAndDown) {
  EXPECT_THAT(ranged<std::int64_t>(INT64_MAX - 2, INT64_MAX, 1),
              ElementsAre(INT64_MAX - 2, INT64_MAX - 1));
  EXPECT_TRUE(ranged<std::int64_t>(0, 10, -1).empty());
  EXPECT_THAT(ranged<std::int32_t>(10, 4, -2), ElementsAre(10, 8, 6));
  EXPECT_THAT(ranged<float>(0, 1, 0.25f), ElementsAre(0, 0.25f, 0.5f, 0.75f));
  EXPECT_THAT(ranged<double>(1, 0, -0.5), ElementsAre(1, 0.5));
}

TEST(OneHot, MarksIndices) {
  OneInstruction last(Opcode::kOneHot);
  last.tensor("indices", tensor_of<std::int64_t>({4}, {0, -1, 3, -4}))
      .set("depth", isa::number(3))
      .tensor("values", tensor_of<float>({2}, {2, 5}));
  EXPECT_THAT(values(last), ElementsAre(5, 2, 2, 2, 2, 5, 2, 2, 2, 2, 2, 2));
  OneInstruction first(Opcode::kOneHot);
  first.tensor("indices", tensor_of<float>({2}, {1.7f, NAN}))
      .set("depth", isa::number(2))
      .tensor("values", tensor_of<bool>({2}, {false, true}))
      .set("axis", isa::number(0));
  EXPECT_THAT(values<bool>(first), ElementsAre(false, false, true, false));
}

TEST(Random, UniformStaysInItsIntervalAndDependsOnTheSeed) {
  const auto drawn = [](std::int64_t seed) {
    OneInstruction instruction(Opcode::kRandomUniform);
    instruction.set("shape", sizes({10000}))
        .set("low", isa::real(-1))
        .set("high", isa::real(3))
        .set("seed", isa::number(seed))
        .set("to", isa::type(DType::kF32));
    return values(instruction);
  };
  const std::vector<float> numbers = drawn(1);
  EXPECT_THAT(numbers, Each(::testing::AllOf(::testing::Ge(-1.0f), ::testing::Lt(3.0f))));
  EXPECT_NEAR(std::accumulate(numbers.begin(), numbers.end(), 0.0) / 10000, 1.0, 0.05);
  EXPECT_EQ(numbers, drawn(1));
  EXPECT_NE(numbers, drawn(2));
}

TEST(Random, NormalHasItsMeanAndDeviation) {
  OneInstruction instruction(Opcode::kRandomNormal);
  instruction.set("shape", sizes({20001}))
      .set("mean", isa::real(2))
      .set("deviation", isa::real(0.5))
      .set("to", isa::type(DType::kF64));
  const std::vector<double> numbers = values<double>(instruction);
  const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / 20001;
  double squares = 0;
  for (const double number : numbers) {
    squares += (number - mean) * (number - mean);
  }
  EXPECT_NEAR(mean, 2.0, 0.02);
  EXPECT_NEAR(squares / 20001, 0.25, 0.02);
}

}  // namespace
}  // namespace pliant::testing
