#include <gtest/gtest.h>

#include <vector>

#include "support/one_instruction.h"

namespace pliant {
namespace {

using testing::OneInstruction;
using testing::random_tensor;
using testing::tensor_of;
using testing::values_of;
using testing::with_memory_order;

const std::vector<int> kChannelsLast = {0, 2, 3, 1};

std::vector<StoredTensor> run(OneInstruction& instruction) {
  auto results = instruction();
  EXPECT_TRUE(results) << (results ? "" : results.error().message);
  return results ? *results : std::vector<StoredTensor>{};
}

TEST(BindElementwise, ResultsFollowTheMemoryOfDenseInputs) {
  const Shape shape{2, 5, 3, 4};
  const StoredTensor x = random_tensor(shape, 1);
  const StoredTensor channels_last = with_memory_order(x, kChannelsLast);
  const StoredTensor bias = random_tensor({5, 1, 1}, 2);
  OneInstruction add(isa::Opcode::kElementwiseAdd);
  add.tensor("lhs", channels_last).tensor("rhs", bias);
  const StoredTensor result = run(add)[0];
  EXPECT_EQ(result.view.strides, permuted_strides(shape, kChannelsLast));
  OneInstruction plain(isa::Opcode::kElementwiseAdd);
  plain.tensor("lhs", x).tensor("rhs", bias);
  EXPECT_EQ(values_of<float>(result.view), values_of<float>(run(plain)[0].view));
  OneInstruction cast(isa::Opcode::kCast);
  cast.tensor("x", channels_last).set("to", isa::type(DType::kF64));
  EXPECT_EQ(run(cast)[0].view.strides, permuted_strides(shape, kChannelsLast));
}

TEST(BindElementwise, AttributesAreNotMixedUpWithDecimalOperands) {
  OneInstruction shrink(isa::Opcode::kElementwiseShrink);
  shrink.tensor("x", tensor_of<float>({3}, {-2, 0.5f, 2}))
      .set("alpha", isa::real(1))
      .set("beta", isa::real(0.25));
  EXPECT_EQ(values_of<float>(run(shrink)[0].view), (std::vector<float>{-1.75f, 0, 1.75f}));
}

TEST(BindElementwise, EveryTypeOfAdd) {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      OneInstruction add(isa::Opcode::kElementwiseAdd);
      add.tensor("lhs", tensor_of<T>({2, 1}, {T{1}, T{2}}))
          .tensor("rhs", tensor_of<T>({3}, {T{10}, T{20}, T{30}}));
      EXPECT_EQ(values_of<T>(run(add)[0].view), (std::vector<T>{11, 21, 31, 12, 22, 32}));
    }
  };
  for (int dtype = 0; dtype < kDTypeCount; ++dtype) {
    visit_dtype(static_cast<DType>(dtype), check);
  }
}

TEST(BindElementwise, PowerTakesExponentsOfAnyType) {
  OneInstruction power(isa::Opcode::kElementwisePower);
  power.tensor("lhs", tensor_of<float>({3}, {2, 3, 4}))
      .tensor("rhs", tensor_of<std::int32_t>({3}, {3, 2, -1}));
  EXPECT_EQ(values_of<float>(run(power)[0].view), (std::vector<float>{8, 9, 0.25f}));
  OneInstruction whole(isa::Opcode::kElementwisePower);
  whole.tensor("lhs", tensor_of<std::uint8_t>({2}, {2, 3}))
      .tensor("rhs", tensor_of<double>({2}, {3, 0.5}));
  EXPECT_EQ(values_of<std::uint8_t>(run(whole)[0].view), (std::vector<std::uint8_t>{8, 1}));
}

TEST(BindReduce, StridesDoNotChangeBits) {
  const StoredTensor x = random_tensor({3, 7, 5, 6}, 3);
  const StoredTensor channels_last = with_memory_order(x, kChannelsLast);
  for (const std::vector<std::int64_t>& axes :
       {std::vector<std::int64_t>{1}, {2, 3}, {0, 2}, {-1}, {0, 1, 2, 3}}) {
    for (const isa::Opcode opcode :
         {isa::Opcode::kReduceSum, isa::Opcode::kReduceLogSumExp, isa::Opcode::kReduceMean}) {
      OneInstruction a(opcode);
      a.tensor("x", x).set("axis", isa::numbers(axes));
      OneInstruction b(opcode);
      b.tensor("x", channels_last).set("axis", isa::numbers(axes)).set("keepdims", isa::flag(true));
      EXPECT_EQ(values_of<float>(run(a)[0].view), values_of<float>(run(b)[0].view));
    }
  }
}

TEST(BindSoftmax, FollowsMemoryAndKeepsBits) {
  const Shape shape{2, 9, 3, 4};
  const StoredTensor x = random_tensor(shape, 4);
  const StoredTensor channels_last = with_memory_order(x, kChannelsLast);
  for (const std::int64_t axis : {0, 1, 2, 3}) {
    OneInstruction a(isa::Opcode::kSoftmax);
    a.tensor("x", x).set("axis", isa::number(axis));
    OneInstruction b(isa::Opcode::kSoftmax);
    b.tensor("x", channels_last).set("axis", isa::number(axis));
    const StoredTensor result = run(b)[0];
    EXPECT_EQ(result.view.strides, permuted_strides(shape, kChannelsLast));
    EXPECT_EQ(values_of<float>(result.view), values_of<float>(run(a)[0].view));
  }
}

TEST(BindNormalise, BatchNormFollowsMemory) {
  const Shape shape{2, 9, 3, 4};
  const StoredTensor x = random_tensor(shape, 5);
  const StoredTensor channels_last = with_memory_order(x, kChannelsLast);
  const auto normalise = [&](const StoredTensor& input) {
    OneInstruction norm(isa::Opcode::kBatchNorm);
    norm.tensor("x", input)
        .tensor("scale", random_tensor({9}, 6))
        .tensor("bias", random_tensor({9}, 7))
        .tensor("mean", random_tensor({9}, 8))
        .tensor("variance", tensor_of<float>({9}, {1, 2, 3, 4, 5, 6, 7, 8, 9}));
    return run(norm)[0];
  };
  const StoredTensor result = normalise(channels_last);
  EXPECT_EQ(result.view.strides, permuted_strides(shape, kChannelsLast));
  EXPECT_EQ(values_of<float>(result.view), values_of<float>(normalise(x).view));
}

TEST(BindNormalise, GroupNormOfPermutedInput) {
  const StoredTensor x = random_tensor({2, 8, 3, 5}, 9);
  const auto normalise = [&](const StoredTensor& input, DType dtype) {
    OneInstruction norm(isa::Opcode::kGroupNorm);
    const auto as = [&](const StoredTensor& tensor) {
      OneInstruction cast(isa::Opcode::kCast);
      cast.tensor("x", tensor).set("to", isa::type(dtype));
      return run(cast)[0];
    };
    norm.tensor("x", as(input))
        .tensor("scale", as(random_tensor({8}, 6)))
        .tensor("bias", as(random_tensor({8}, 7)))
        .set("groups", isa::number(2));
    OneInstruction back(isa::Opcode::kCast);
    back.tensor("x", run(norm)[0]).set("to", isa::type(DType::kF32));
    return values_of<float>(run(back)[0].view);
  };
  const auto expected = normalise(x, DType::kF32);
  EXPECT_EQ(normalise(with_memory_order(x, kChannelsLast), DType::kF32), expected);
  const auto wide = normalise(x, DType::kF64);
  const auto half = normalise(x, DType::kF16);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(wide[i], expected[i], 1e-5);
    EXPECT_NEAR(half[i], expected[i], 1e-2);
  }
}

TEST(BindNormalise, LayerNormParametersOfAnyForm) {
  const StoredTensor x = random_tensor({2, 3, 4}, 10);
  OneInstruction norm(isa::Opcode::kLayerNorm);
  norm.tensor("x", x)
      .tensor("scale", tensor_of<float>({1, 3, 1}, {1, 2, 3}))
      .set("axis", isa::number(1));
  norm.want("mean");
  const auto results = run(norm);
  OneInstruction plain(isa::Opcode::kLayerNorm);
  plain.tensor("x", x).set("axis", isa::number(1));
  const auto expected = values_of<float>(run(plain)[0].view);
  const auto values = values_of<float>(results[0].view);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_FLOAT_EQ(values[i], expected[i] * static_cast<float>(i / 4 % 3 + 1));
  }
  EXPECT_EQ(results[1].view.shape, (Shape{2, 1, 1}));
}

}  // namespace
}  // namespace pliant
