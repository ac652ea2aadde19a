#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/half.h"
#include "support/one_instruction.h"

namespace pliant::bind {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace ::pliant::testing;

StoredTensor result_of(OneInstruction run) {
  auto results = run();
  EXPECT_TRUE(results.has_value()) << (results ? "" : results.error().message);
  return results ? (*results)[0] : StoredTensor{};
}

OneInstruction quantize(const StoredTensor& x, const StoredTensor& scale, DType to) {
  OneInstruction run(isa::Opcode::kQuantize);
  run.tensor("x", x).tensor("scale", scale).set("to", isa::type(to));
  return run;
}
OneInstruction dequantize(const StoredTensor& x, const StoredTensor& scale) {
  OneInstruction run(isa::Opcode::kDequantize);
  run.tensor("x", x).tensor("scale", scale);
  return run;
}
StoredTensor floats(const Shape& shape, const std::vector<float>& values) {
  return tensor_of<float>(shape, values);
}

TEST(QuantizeTest, RoundsHalfToEvenAndSaturatesAfterTheZeroPoint) {
  const StoredTensor x = floats({9}, {0, 1, 3, 5, -1, 254, 1000, -1000, 600});
  EXPECT_THAT(values_of<std::uint8_t>(
                  result_of(quantize(x, floats({}, {2}), DType::kU8)
                                .tensor("zero_point", tensor_of<std::uint8_t>({}, {128})))
                      .view),
              ElementsAre(128, 128, 130, 130, 128, 255, 255, 0, 255));
  EXPECT_THAT(values_of<std::int8_t>(result_of(quantize(x, floats({1}, {2}), DType::kI8)).view),
              ElementsAre(0, 0, 2, 2, 0, 127, 127, -128, 127));
  EXPECT_THAT(
      values_of<std::int16_t>(result_of(quantize(x, floats({}, {0.01f}), DType::kI16)).view),
      ElementsAre(0, 100, 300, 500, -100, 25400, 32767, -32768, 32767));
}

TEST(QuantizeTest, ExtremesSaturateAndNaNIsTheSmallest) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(values_of<std::uint16_t>(
                  result_of(quantize(floats({4}, {infinity, -infinity,
                                                  std::numeric_limits<float>::quiet_NaN(), 3e38f}),
                                     floats({}, {1e-3f}), DType::kU16)
                                .tensor("zero_point", tensor_of<std::uint16_t>({}, {7})))
                      .view),
              ElementsAre(65535, 0, 0, 65535));
}

TEST(QuantizeTest, ScalesPerAxisAndNegativeAxes) {
  const StoredTensor x = floats({2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  EXPECT_THAT(
      values_of<std::uint8_t>(result_of(quantize(x, floats({3}, {1, 2, 4}), DType::kU8)).view),
      ElementsAre(1, 2, 2, 2, 1, 2, 7, 8, 4, 5, 3, 3));
  EXPECT_THAT(
      values_of<std::uint8_t>(
          result_of(quantize(x, floats({2}, {1, 2}), DType::kU8).set("axis", isa::number(-1)))
              .view),
      ElementsAre(1, 1, 3, 2, 5, 3, 7, 4, 9, 5, 11, 6));
  EXPECT_THAT(
      values_of<std::uint8_t>(
          result_of(quantize(x, floats({2}, {1, 2}), DType::kU8).set("axis", isa::number(0))).view),
      ElementsAre(1, 2, 3, 4, 5, 6, 4, 4, 4, 5, 6, 6));
}

TEST(QuantizeTest, BlocksAlongAnAxisMayEndShort) {
  const StoredTensor x = floats({2, 5}, {2, 2, 2, 2, 2, 4, 4, 4, 4, 4});
  EXPECT_THAT(values_of<std::int8_t>(
                  result_of(quantize(x, floats({2, 3}, {1, 2, 0.5f, 4, 1, 2}), DType::kI8)
                                .set("block", isa::number(2)))
                      .view),
              ElementsAre(2, 2, 1, 1, 4, 1, 1, 4, 4, 2));
  const StoredTensor tall = floats({3, 2}, {2, 4, 2, 4, 2, 4});
  EXPECT_THAT(
      values_of<std::int8_t>(result_of(quantize(tall, floats({2, 2}, {1, 2, 0.5f, 4}), DType::kI8)
                                           .set("block", isa::number(2))
                                           .set("axis", isa::number(0)))
                                 .view),
      ElementsAre(2, 2, 2, 2, 4, 1));
}

TEST(QuantizeTest, OtherInputTypesAndStrides) {
  EXPECT_THAT(values_of<std::uint8_t>(
                  result_of(quantize(tensor_of<Half>({2}, {to_half(3.0f), to_half(5.0f)}),
                                     tensor_of<Half>({}, {to_half(2.0f)}), DType::kU8))
                      .view),
              ElementsAre(2, 2));
  EXPECT_THAT(
      values_of<std::int16_t>(result_of(quantize(tensor_of<std::int32_t>({2}, {16777217, -9}),
                                                 tensor_of<std::int32_t>({}, {1024}), DType::kI16))
                                  .view),
      ElementsAre(16384, 0));
  const int swapped[] = {1, 0};
  EXPECT_THAT(values_of<std::uint8_t>(
                  result_of(quantize(with_memory_order(floats({2, 2}, {1, 2, 3, 4}), swapped),
                                     floats({}, {1}), DType::kU8))
                      .view),
              ElementsAre(1, 2, 3, 4));
}

TEST(QuantizeTest, LongTensorsKeepTheirScalesAcrossStretches) {
  const std::int64_t columns = 700;
  const StoredTensor x = random_tensor({3, columns}, 1);
  std::vector<float> scales;
  for (std::int64_t i = 0; i < columns; ++i) {
    scales.push_back(0.001f * static_cast<float>(i % 7 + 1));
  }
  const std::vector<std::int16_t> values =
      values_of<std::int16_t>(result_of(quantize(x, floats({columns}, scales), DType::kI16)).view);
  for (std::int64_t i = 0; i < 3 * columns; ++i) {
    ASSERT_EQ(values[static_cast<std::size_t>(i)],
              static_cast<std::int16_t>(std::nearbyint(
                  x.view.as<float>()[i] / scales[static_cast<std::size_t>(i % columns)])));
  }
}

TEST(QuantizeTest, NamesWhatDoesNotFit) {
  auto result = quantize(floats({2, 3}, {1, 2, 3, 4, 5, 6}), floats({2}, {1, 1}), DType::kU8)();
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("scale axis 0 is 2, x axis 1 is 3"));
  result = quantize(floats({2}, {1, 2}), floats({}, {1}), DType::kU32)();
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("is u32"));
  result = quantize(floats({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), floats({2, 3}, {1, 1, 1, 1, 1, 1}),
                    DType::kU8)
               .set("block", isa::number(2))();
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("scale axis 1 is 3"));
}

TEST(DequantizeTest, SubtractsTheZeroPointAndScales) {
  EXPECT_THAT(
      values_of<float>(
          result_of(dequantize(tensor_of<std::uint8_t>({3}, {0, 128, 255}), floats({}, {0.5f}))
                        .tensor("zero_point", tensor_of<std::uint8_t>({}, {128})))
              .view),
      ElementsAre(-64.0f, 0.0f, 63.5f));
  EXPECT_THAT(
      values_of<float>(
          result_of(dequantize(tensor_of<std::int32_t>({2}, {-7, 1000000}), floats({}, {2}))).view),
      ElementsAre(-14.0f, 2000000.0f));
  const StoredTensor half = result_of(
      dequantize(tensor_of<std::int8_t>({2}, {-3, 5}), tensor_of<Half>({}, {to_half(0.5f)})));
  EXPECT_EQ(to_float(values_of<Half>(half.view)[0]), -1.5f);
}

TEST(DequantizeTest, ScalesPerAxisAndBlock) {
  const StoredTensor x = tensor_of<std::int8_t>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THAT(
      values_of<float>(result_of(dequantize(x, floats({2}, {1, 10}))
                                     .tensor("zero_point", tensor_of<std::int8_t>({2}, {0, 5}))
                                     .set("axis", isa::number(0)))
                           .view),
      ElementsAre(1, 2, 3, 4, 0, 10, 20, 30));
  EXPECT_THAT(
      values_of<float>(
          result_of(dequantize(x, floats({2, 2}, {1, 2, 3, 4})).set("block", isa::number(2))).view),
      ElementsAre(1, 2, 6, 8, 15, 18, 28, 32));
}

TEST(DequantizeTest, EmptyTensorsStayEmpty) {
  EXPECT_EQ(
      result_of(dequantize(new_tensor(DType::kU8, {0, 3}), floats({3}, {1, 1, 1}))).view.shape,
      (Shape{0, 3}));
}

struct Dynamic {
  std::vector<std::uint8_t> values;
  float scale;
  std::uint8_t zero_point;
};
Dynamic dynamic_quantize(const StoredTensor& x) {
  OneInstruction run(isa::Opcode::kDynamicQuantize);
  run.tensor("x", x).want("scale").want("zero_point");
  auto results = run();
  EXPECT_TRUE(results.has_value()) << (results ? "" : results.error().message);
  return {values_of<std::uint8_t>((*results)[0].view), values_of<float>((*results)[1].view)[0],
          values_of<std::uint8_t>((*results)[2].view)[0]};
}

TEST(DynamicQuantizeTest, CoversTheRangeAndZero) {
  // The example of ONNX DynamicQuantizeLinear-11.
  const Dynamic both = dynamic_quantize(floats({6}, {0, 2, -3, -2.5f, 1.34f, 0.5f}));
  EXPECT_FLOAT_EQ(both.scale, 5.0f / 255.0f);
  EXPECT_EQ(both.zero_point, 153);
  EXPECT_THAT(both.values, ElementsAre(153, 255, 0, 26, 221, 179));
  const Dynamic positive = dynamic_quantize(floats({3}, {1, 2.01f, 4}));
  EXPECT_EQ(positive.zero_point, 0);
  EXPECT_THAT(positive.values, ElementsAre(64, 128, 255));
  const Dynamic negative = dynamic_quantize(floats({2}, {-1.01f, -2}));
  EXPECT_EQ(negative.zero_point, 255);
  EXPECT_THAT(negative.values, ElementsAre(126, 0));
}

TEST(DynamicQuantizeTest, ZerosAndEmptyTensorsHaveScaleOne) {
  const Dynamic zeros = dynamic_quantize(floats({2}, {0, 0}));
  EXPECT_EQ(zeros.scale, 1.0f);
  EXPECT_THAT(zeros.values, ElementsAre(0, 0));
  const Dynamic empty = dynamic_quantize(new_tensor(DType::kF32, {0}));
  EXPECT_EQ(empty.scale, 1.0f);
  EXPECT_EQ(empty.zero_point, 0);
}

}  // namespace
}  // namespace pliant::bind
