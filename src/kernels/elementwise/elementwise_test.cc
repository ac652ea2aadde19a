#include "kernels/elementwise/elementwise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/half.h"
#include "support/backwards_for.h"
#include "support/cpu_levels.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

using Function = ElementwiseFunction;

/// Memory for a view with any strides, surrounded by elements that must stay untouched.
template <class T>
struct Strided {
  Strided(const Shape& shape, const Strides& strides)
      : memory(20000), view{nullptr, kDTypeOf<T>, shape, strides} {
    view.data = memory.data() + 10000;
  }
  T& at(const std::vector<std::int64_t>& index) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      offset += index[axis] * view.strides[axis];
    }
    return view.as<T>()[offset];
  }
  std::vector<T> memory;
  TensorView view;
};

template <class Visit>
void for_each_index(const Shape& shape, Visit visit) {
  const std::int64_t count = element_count(shape);
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<std::int64_t> index(shape.size());
    std::int64_t rest = i;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      index[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    visit(index);
  }
}

struct StrideCase {
  const char* name;
  Shape shape;
  Strides a;
  Strides b;
  Strides result;
};

const StrideCase kStrideCases[] = {
    {"contiguous", {3, 5, 7}, {35, 7, 1}, {35, 7, 1}, {35, 7, 1}},
    {"scalar right", {3, 5, 7}, {35, 7, 1}, {0, 0, 0}, {35, 7, 1}},
    {"scalar left", {3, 400}, {0, 0}, {400, 1}, {400, 1}},
    {"both scalars", {3, 40}, {0, 0}, {0, 0}, {40, 1}},
    {"bias row", {9, 70}, {70, 1}, {0, 1}, {70, 1}},
    {"bias of a short row", {50, 3}, {3, 1}, {0, 1}, {3, 1}},
    {"column", {9, 70}, {70, 1}, {1, 0}, {70, 1}},
    {"outer product", {40, 41}, {1, 0}, {0, 1}, {41, 1}},
    {"transposed right", {33, 34}, {34, 1}, {1, 33}, {34, 1}},
    {"channels-last with channel bias", {2, 3, 4, 5}, {60, 1, 15, 3}, {0, 1, 0, 0}, {60, 1, 15, 3}},
    {"channels-last against row-major",
     {2, 33, 2, 5},
     {330, 1, 165, 33},
     {330, 10, 5, 1},
     {330, 1, 165, 33}},
    {"negative strides", {5, 40}, {-40, -1}, {40, -1}, {40, 1}},
    {"result with gaps", {5, 40}, {40, 1}, {40, 1}, {100, 2}},
    {"result in wider rows", {5, 40}, {40, 1}, {0, 1}, {100, 1}},
    {"eight axes",
     {2, 1, 2, 3, 1, 2, 2, 2},
     {48, 0, 24, 8, 5, 4, 2, 1},
     {0, 0, 24, 8, 0, 0, 2, 1},
     {48, 48, 24, 8, 8, 4, 2, 1}},
    {"rank 0", {}, {}, {}, {}},
    {"extents of one", {1, 1}, {7, 3}, {1, 1}, {9, 9}},
    {"empty", {3, 0, 2}, {0, 2, 1}, {0, 2, 1}, {2, 2, 1}},
    {"longer than a tile", {3, 1500}, {1500, 1}, {1500, 1}, {1500, 1}},
    {"longer than a tile, strided", {3, 1500}, {1, 3}, {1500, 1}, {1500, 1}},
};

template <class T>
void check_add(const StrideCase& test, CpuLevel level) {
  SCOPED_TRACE(test.name);
  Strided<T> a(test.shape, test.a);
  Strided<T> b(test.shape, test.b);
  Strided<T> result(test.shape, test.result);
  Strided<T> expected(test.shape, test.result);
  for (std::size_t i = 0; i < a.memory.size(); ++i) {
    a.memory[i] = static_cast<T>(i % 97);
    b.memory[i] = static_cast<T>(i % 29);
    expected.memory[i] = result.memory[i] = T{99};
  }
  for_each_index(test.shape, [&](const auto& index) {
    expected.at(index) = static_cast<T>(a.at(index) + b.at(index));
  });
  const TensorView inputs[] = {a.view, b.view};
  const auto loop = find_elementwise_loop(Function::kAdd, kDTypeOf<T>, level);
  testing::BackwardsFor parallel;
  elementwise(make_elementwise(loop, inputs, result.view, level), {parallel, nullptr, level});
  EXPECT_EQ(result.memory, expected.memory);
}

TEST(Elementwise, AddsWithAnyStrides) {
  for (const CpuLevel level : testing::cpu_levels()) {
    for (const StrideCase& test : kStrideCases) {
      check_add<float>(test, level);
      check_add<std::int64_t>(test, level);
      check_add<std::uint8_t>(test, level);
    }
  }
}

TEST(Elementwise, ComputesHalvesInSinglePrecision) {
  for (const CpuLevel level : testing::cpu_levels()) {
    std::vector<Half> a;
    for (int i = 0; i < 1300; ++i) {
      a.push_back(to_half(static_cast<float>(i) * 0.125f));
    }
    const Half three = to_half(3.0f);
    std::vector<Half> result(a.size());
    const auto count = static_cast<std::int64_t>(a.size());
    const TensorView inputs[] = {{a.data(), DType::kF16, {count}, {1}},
                                 {const_cast<Half*>(&three), DType::kF16, {count}, {0}}};
    const TensorView output{result.data(), DType::kF16, {count}, {1}};
    SerialFor serial;
    elementwise(make_elementwise(find_elementwise_loop(Function::kDivide, DType::kF16, level),
                                 inputs, output, level),
                {serial, nullptr, level});
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(result[i].bits, to_half(to_float(a[i]) / 3.0f).bits) << i;
    }
  }
}

/// Values around which functions change their behaviour, of every magnitude.
std::vector<float> samples() {
  std::vector<float> values = {0.0f,
                               -0.0f,
                               1.0f,
                               -1.0f,
                               0.5f,
                               -0.5f,
                               1.5f,
                               2.5f,
                               -2.5f,
                               1e-40f,
                               -1e-40f,
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN(),
                               std::numeric_limits<float>::max(),
                               std::numeric_limits<float>::lowest(),
                               std::numeric_limits<float>::min()};
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    values.push_back(std::uniform_real_distribution<float>(-12.0f, 12.0f)(random));
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
  }
  return values;
}

struct Tolerance {
  double relative = 6e-7;
  double absolute = 1e-37;
};
Tolerance tolerance_of(Function function) {
  switch (function) {
    case Function::kGelu:
    case Function::kGeluTanh:
    case Function::kSine:  // the reference is f64, tiny results near multiples of pi
    case Function::kCosine:
    case Function::kHardSigmoid:
    case Function::kHardSwish:
      return {.absolute = 3e-7};
    case Function::kTangent:
      return {.relative = 4e-6, .absolute = 3e-7};
    case Function::kSwish:
      return {.relative = 1e-5};  // alpha * x is rounded before e^x
    case Function::kCelu:
      return {.relative = 2e-6};
    default:
      return {};
  }
}

/// The scalar loop in f64, where it exists, is the truth for the f32 loop of every level.
void check_function(Function function, CpuLevel level) {
  const ElementwiseLoop loop = find_elementwise_loop(function, DType::kF32, level);
  if (loop.run == nullptr || loop.result != DType::kF32 || loop.inputs[0] != DType::kF32) {
    return;
  }
  const ElementwiseLoop reference = reference_elementwise_loop(function, DType::kF64);
  const auto count = static_cast<std::int64_t>(samples().size());
  std::vector<float> inputs[3] = {samples(), samples(), samples()};
  std::rotate(inputs[1].begin(), inputs[1].begin() + 5001, inputs[1].end());
  std::rotate(inputs[2].begin(), inputs[2].begin() + 301, inputs[2].end());
  std::vector<double> wide[3];
  std::vector<float> result(samples().size());
  std::vector<double> expected(samples().size());
  DenseStrip strip;
  DenseStrip wide_strip;
  strip.alpha = wide_strip.alpha = 0.75;
  strip.beta = wide_strip.beta = 0.25;
  strip.count = wide_strip.count = count;
  for (int i = 0; i < loop.input_count; ++i) {
    wide[i].assign(inputs[i].begin(), inputs[i].end());
    strip.inputs[i] = inputs[i].data();
    wide_strip.inputs[i] = wide[i].data();
  }
  strip.result = result.data();
  wide_strip.result = expected.data();
  loop.run(strip);
  reference.run(wide_strip);
  const Tolerance tolerance = tolerance_of(function);
  int failures = 0;
  for (std::size_t i = 0; i < result.size() && failures < 3; ++i) {
    const float want = static_cast<float>(expected[i]);
    const double got = static_cast<double>(result[i]);
    if (std::isnan(want) ? std::isnan(result[i]) : result[i] == want) {
      continue;
    }
    const double error = std::abs(got - expected[i]);
    if (!(error <= tolerance.relative * std::abs(expected[i]) + tolerance.absolute)) {
      ++failures;
      ADD_FAILURE() << "function " << static_cast<int>(function) << " of " << inputs[0][i] << ", "
                    << inputs[1][i] << ", " << inputs[2][i] << " is " << result[i] << ", expected "
                    << expected[i];
    }
  }
}

TEST(Elementwise, F32FunctionsAgreeWithDoublePrecision) {
  for (const CpuLevel level : testing::cpu_levels()) {
    SCOPED_TRACE(name(level));
    for (int i = 0; i < kElementwiseFunctionCount; ++i) {
      const auto function = static_cast<Function>(i);
      if (function == Function::kModulo || function == Function::kRemainder ||
          function == Function::kMultiplyAdd) {
        continue;  // f64 sees another quotient, or what is left of a cancelled sum
      }
      check_function(function, level);
    }
  }
}

/// The last, partial vector gives the same bits as a whole one.
TEST(Elementwise, BitsDoNotDependOnPosition) {
  for (const CpuLevel level : testing::cpu_levels()) {
    const ElementwiseLoop loop = find_elementwise_loop(Function::kGelu, DType::kF32, level);
    std::vector<float> x = samples();
    x.resize(67);
    std::vector<float> together(x.size());
    DenseStrip strip;
    strip.inputs[0] = x.data();
    strip.result = together.data();
    strip.count = static_cast<std::int64_t>(x.size());
    loop.run(strip);
    for (std::size_t i = 0; i < x.size(); ++i) {
      float alone = 0;
      strip.inputs[0] = &x[i];
      strip.result = &alone;
      strip.count = 1;
      loop.run(strip);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(alone), std::bit_cast<std::uint32_t>(together[i]))
          << i;
    }
  }
}

template <class T, class R = T>
R apply(Function function, std::vector<T> operands) {
  const ElementwiseLoop loop = find_elementwise_loop(function, kDTypeOf<T>, detected_cpu_level());
  DenseStrip strip;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    strip.inputs[i] = &operands[i];
  }
  R result{};
  strip.result = &result;
  strip.count = 1;
  loop.run(strip);
  return result;
}

TEST(Elementwise, IntegersWrapAndNeverTrap) {
  constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::lowest();
  constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(apply<std::int32_t>(Function::kAdd, {kHighest, 1}), kLowest);
  EXPECT_EQ(apply<std::int32_t>(Function::kNegate, {kLowest}), kLowest);
  EXPECT_EQ(apply<std::int32_t>(Function::kAbsolute, {kLowest}), kLowest);
  EXPECT_EQ(apply<std::int32_t>(Function::kDivide, {kLowest, -1}), kLowest);
  EXPECT_EQ(apply<std::int32_t>(Function::kDivide, {-7, 2}), -3);
  EXPECT_EQ(apply<std::int32_t>(Function::kDivide, {7, 0}), 0);
  EXPECT_EQ(apply<std::int32_t>(Function::kModulo, {7, 0}), 0);
  EXPECT_EQ(apply<std::int32_t>(Function::kModulo, {kLowest, -1}), 0);
  EXPECT_EQ(apply<std::int32_t>(Function::kModulo, {-7, 3}), 2);
  EXPECT_EQ(apply<std::int32_t>(Function::kModulo, {7, -3}), -2);
  EXPECT_EQ(apply<std::int32_t>(Function::kRemainder, {-7, 3}), -1);
  EXPECT_EQ(apply<std::uint16_t>(Function::kMultiply, {65535, 65535}), 1);
  EXPECT_EQ(apply<std::int8_t>(Function::kSubtract, {-128, 1}), 127);
  EXPECT_EQ(apply<std::uint8_t>(Function::kSubtract, {0, 1}), 255);
}

TEST(Elementwise, ShiftsByTheWidthOrMoreGiveZero) {
  EXPECT_EQ(apply<std::uint32_t>(Function::kShiftLeft, {1, 31}), 0x80000000u);
  EXPECT_EQ(apply<std::uint32_t>(Function::kShiftLeft, {1, 32}), 0u);
  EXPECT_EQ(apply<std::uint64_t>(Function::kShiftRight, {~0ull, 63}), 1u);
  EXPECT_EQ(apply<std::uint64_t>(Function::kShiftRight, {~0ull, 64}), 0u);
  EXPECT_EQ(apply<std::uint8_t>(Function::kShiftLeft, {255, 4}), 240);
  EXPECT_EQ(apply<std::uint8_t>(Function::kShiftRight, {255, 200}), 0);
  EXPECT_EQ(apply<std::int8_t>(Function::kShiftLeft, {1, -1}), 0);
}

TEST(Elementwise, MinimumAndMaximumKeepNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(apply<float>(Function::kMinimum, {nan, 1.0f})));
  EXPECT_TRUE(std::isnan(apply<float>(Function::kMaximum, {1.0f, nan})));
  EXPECT_TRUE(std::isnan(apply<float>(Function::kClip, {nan, 0.0f, 1.0f})));
  EXPECT_EQ(apply<float>(Function::kClip, {0.5f, 3.0f, 1.0f}), 1.0f);
}

TEST(Elementwise, PowersOfIntegers) {
  const auto power = [](std::int32_t base, std::int64_t exponent) {
    const ElementwiseLoop loop = reference_elementwise_loop(Function::kPower, DType::kI32);
    DenseStrip strip;
    std::int32_t result = 0;
    strip.inputs[0] = &base;
    strip.inputs[1] = &exponent;
    strip.result = &result;
    strip.count = 1;
    loop.run(strip);
    return result;
  };
  EXPECT_EQ(power(3, 4), 81);
  EXPECT_EQ(power(-2, 3), -8);
  EXPECT_EQ(power(5, 0), 1);
  EXPECT_EQ(power(0, 0), 1);
  EXPECT_EQ(power(2, -1), 0);
  EXPECT_EQ(power(-1, -3), -1);
  EXPECT_EQ(power(0, -1), 0);
}

template <class From, class To>
To cast(From value) {
  To result{};
  DenseStrip strip;
  strip.inputs[0] = &value;
  strip.result = &result;
  strip.count = 1;
  find_conversion(kDTypeOf<From>, kDTypeOf<To>, detected_cpu_level())(strip);
  return result;
}

TEST(Conversion, FloatsToIntegersTruncateAndSaturate) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ((cast<float, std::int32_t>(nan)), 0);
  EXPECT_EQ((cast<float, std::int8_t>(300.0f)), 127);
  EXPECT_EQ((cast<float, std::int8_t>(-300.0f)), -128);
  EXPECT_EQ((cast<float, std::uint8_t>(-0.9f)), 0);
  EXPECT_EQ((cast<float, std::uint8_t>(-5.0f)), 0);
  EXPECT_EQ((cast<float, std::int32_t>(-0.9f)), 0);
  EXPECT_EQ((cast<float, std::int32_t>(0x1p31f)), std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ((cast<float, std::int64_t>(0x1p63f)), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ((cast<double, std::int64_t>(-1e30)), std::numeric_limits<std::int64_t>::lowest());
  EXPECT_EQ((cast<float, std::uint64_t>(infinity)), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ((cast<Half, std::int8_t>(to_half(-1.75f))), -1);
  EXPECT_EQ((cast<float, bool>(nan)), true);
  EXPECT_EQ((cast<float, bool>(-0.0f)), false);
  EXPECT_EQ((cast<float, bool>(0.25f)), true);
}

TEST(Conversion, SixteenBitFloatsRoundOnce) {
  // Half way between two halves plus a little: f32 in between would round to the tie and then down.
  EXPECT_EQ((cast<double, Half>(1.0 + 0x1p-11 + 0x1p-40)).bits, to_half(1.0f + 0x1p-10f).bits);
  EXPECT_EQ((cast<double, BFloat16>(1.0 + 0x1p-8 + 0x1p-40)).bits,
            to_bfloat16(1.0f + 0x1p-7f).bits);
  EXPECT_EQ((cast<std::int64_t, BFloat16>((1ll << 60) + (1ll << 52) + 1)).bits,
            to_bfloat16(static_cast<float>((1ll << 60) + (1ll << 53))).bits);
  EXPECT_EQ((cast<float, Half>(1e6f)).bits, 0x7c00);
  EXPECT_EQ((cast<double, Half>(1e300)).bits, 0x7c00);
}

TEST(Conversion, HalvesHaveTheSameBitsAtEveryLevel) {
  std::vector<float> x = samples();
  x.resize(20003);
  for (const CpuLevel level : testing::cpu_levels()) {
    std::vector<Half> halves(x.size());
    std::vector<BFloat16> bfloats(x.size());
    std::vector<float> back(x.size());
    const auto convert = [&](DType from, DType to, const void* source, void* target) {
      DenseStrip strip;
      strip.inputs[0] = source;
      strip.result = target;
      strip.count = static_cast<std::int64_t>(x.size());
      find_conversion(from, to, level)(strip);
    };
    convert(DType::kF32, DType::kF16, x.data(), halves.data());
    convert(DType::kF32, DType::kBF16, x.data(), bfloats.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(halves[i].bits, to_half(x[i]).bits) << x[i];
      ASSERT_EQ(bfloats[i].bits, to_bfloat16(x[i]).bits) << x[i];
    }
    convert(DType::kF16, DType::kF32, halves.data(), back.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_TRUE(back[i] == to_float(halves[i]) || std::isnan(back[i])) << x[i];
    }
    convert(DType::kBF16, DType::kF32, bfloats.data(), back.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_TRUE(back[i] == to_float(bfloats[i]) || std::isnan(back[i])) << x[i];
    }
  }
}

TEST(Conversion, EveryPairKeepsSmallNumbers) {
  for (int from = 0; from < kDTypeCount; ++from) {
    for (int to = 0; to < kDTypeCount; ++to) {
      std::int64_t middle = 0;
      std::int32_t back = 0;
      const std::int32_t one = 1;
      std::int64_t first = 0;
      const auto convert = [](DType a, DType b, const void* x, void* y) {
        DenseStrip strip;
        strip.inputs[0] = x;
        strip.result = y;
        strip.count = 1;
        find_conversion(a, b, detected_cpu_level())(strip);
      };
      convert(DType::kI32, static_cast<DType>(from), &one, &first);
      convert(static_cast<DType>(from), static_cast<DType>(to), &first, &middle);
      convert(static_cast<DType>(to), DType::kI32, &middle, &back);
      EXPECT_EQ(back, 1) << from << " " << to;
    }
  }
}

}  // namespace
}  // namespace pliant::kernels
