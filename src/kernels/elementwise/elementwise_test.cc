#include "kernels/elementwise/elementwise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/half.h"
#include "kernels/elementwise/reference.h"
#include "support/backwards_for.h"
#include "support/cpu_levels.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

using Function = ElementwiseFunction;

struct StrideCase {
  const char* name;
  Shape shape;
  Strides a;
  Strides b;
  Strides result;
};

/// The first eight are for all functions.
const StrideCase kStrideCases[] = {
    {"contiguous", {3, 5, 7}, {35, 7, 1}, {35, 7, 1}, {35, 7, 1}},
    {"scalar right", {3, 5, 7}, {35, 7, 1}, {0, 0, 0}, {35, 7, 1}},
    {"column", {9, 70}, {70, 1}, {1, 0}, {70, 1}},
    {"channels-last with channel bias", {2, 3, 4, 5}, {60, 1, 15, 3}, {0, 1, 0, 0}, {60, 1, 15, 3}},
    {"negative strides", {5, 40}, {-40, -1}, {40, -1}, {40, 1}},
    {"result with gaps", {5, 40}, {40, 1}, {40, 1}, {100, 2}},
    {"rank 0", {}, {}, {}, {}},
    {"empty", {3, 0, 2}, {0, 2, 1}, {0, 2, 1}, {2, 2, 1}},
    {"scalar left", {3, 400}, {0, 0}, {400, 1}, {400, 1}},
    {"both scalars", {3, 40}, {0, 0}, {0, 0}, {40, 1}},
    {"bias row", {9, 70}, {70, 1}, {0, 1}, {70, 1}},
    {"bias of a short row", {50, 3}, {3, 1}, {0, 1}, {3, 1}},
    {"outer product", {40, 41}, {1, 0}, {0, 1}, {41, 1}},
    {"transposed right", {33, 34}, {34, 1}, {1, 33}, {34, 1}},
    {"channels-last against row-major",
     {2, 33, 2, 5},
     {330, 1, 165, 33},
     {330, 10, 5, 1},
     {330, 1, 165, 33}},
    {"result in wider rows", {5, 40}, {40, 1}, {0, 1}, {100, 1}},
    {"eight axes",
     {2, 1, 2, 3, 1, 2, 2, 2},
     {48, 0, 24, 8, 5, 4, 2, 1},
     {0, 0, 24, 8, 0, 0, 2, 1},
     {48, 48, 24, 8, 8, 4, 2, 1}},
    {"extents of one", {1, 1}, {7, 3}, {1, 1}, {9, 9}},
    {"longer than a tile", {3, 1500}, {1500, 1}, {1500, 1}, {1500, 1}},
    {"longer than a tile, strided", {3, 1500}, {1, 3}, {1500, 1}, {1500, 1}},
};

constexpr std::size_t kElements = 20000;

/// Elements of any type in memory; views of them begin in the middle, so that strides may be negative.
struct Elements {
  explicit Elements(DType type) : dtype(type), bytes(kElements * byte_size(type), std::byte{1}) {}
  /// Small numbers, some of them NaN and infinite.
  Elements(DType type, std::uint32_t seed) : Elements(type) {
    std::mt19937 random(seed);
    std::vector<float> numbers(kElements);
    for (std::size_t i = 0; i < kElements; ++i) {
      numbers[i] = std::uniform_real_distribution<float>(-6.0f, 6.0f)(random);
    }
    for (std::size_t i = seed; i < kElements; i += 47) {
      numbers[i] = std::numeric_limits<float>::quiet_NaN();
      numbers[i - seed] = std::numeric_limits<float>::infinity() * (i % 2 == 0 ? 1.0f : -1.0f);
    }
    convert(find_conversion(DType::kF32, dtype, CpuLevel::kPortable), numbers.data(), bytes.data(),
            static_cast<std::int64_t>(kElements));
  }
  [[nodiscard]] TensorView view(const Shape& shape, const Strides& strides) {
    return {bytes.data() + bytes.size() / 2, dtype, shape, strides};
  }
  [[nodiscard]] std::vector<double> as_doubles() const {
    std::vector<double> numbers(kElements);
    convert(find_conversion(dtype, DType::kF64, CpuLevel::kPortable), bytes.data(), numbers.data(),
            static_cast<std::int64_t>(kElements));
    return numbers;
  }

  DType dtype;
  std::vector<std::byte> bytes;
};

/// How far a vectorised loop may be from the scalar one of the same type.
double closeness(DType dtype) {
  return dtype == DType::kF16 ? 2e-3 : dtype == DType::kBF16 ? 1.6e-2 : 2e-5;
}

/// Elements that the loops compute must be alike; elements around them must be as they were.
void expect_alike(const Elements& got, const Elements& want, bool is_exact) {
  if (got.bytes == want.bytes) {
    return;
  }
  ASSERT_FALSE(is_exact) << "other bytes than the reference";
  const std::vector<double> numbers = got.as_doubles();
  const std::vector<double> expected = want.as_doubles();
  const double close = closeness(got.dtype);
  for (std::size_t i = 0; i < kElements; ++i) {
    const bool is_same =
        numbers[i] == expected[i] || (numbers[i] != numbers[i] && expected[i] != expected[i]);
    ASSERT_TRUE(is_same ||
                std::abs(numbers[i] - expected[i]) <= close * (0.1 + std::abs(expected[i])))
        << numbers[i] << " instead of " << expected[i] << " at " << i;
  }
}

/// A function on operands of a type at a level, by the kernel and by the reference.
void check_against_reference(const char* name, Function function, DType dtype, CpuLevel level,
                             std::span<const StrideCase> cases) {
  const ElementwiseLoop loop = find_elementwise_loop(function, dtype, level);
  const ElementwiseLoop scalar = reference_elementwise_loop(function, dtype);
  if (scalar.run == nullptr) {
    EXPECT_EQ(loop.run, nullptr) << name;
    return;
  }
  // Elements of small floats are converted to the type of the loop and back.
  const auto stored = [&](DType type) {
    return type == DType::kF32 && byte_size(dtype) == 2 ? dtype : type;
  };
  std::vector<Elements> operands;
  for (int i = 0; i < scalar.input_count; ++i) {
    operands.emplace_back(stored(scalar.inputs[i]), static_cast<std::uint32_t>(i + 1));
  }
  for (const StrideCase& test : cases) {
    SCOPED_TRACE(std::string(name) + " of " + std::string(pliant::name(dtype)) + ", " + test.name);
    TensorView inputs[kMaxElementwiseInputs];
    for (std::size_t i = 0; i < operands.size(); ++i) {
      inputs[i] = operands[i].view(test.shape, i == 0 ? test.a : test.b);
    }
    Elements got(stored(scalar.result));
    Elements want = got;
    const TensorView result = got.view(test.shape, test.result);
    ElementwiseArguments arguments = make_elementwise(loop, inputs, result, level);
    arguments.alpha = 0.75;
    arguments.beta = 0.25;
    testing::BackwardsFor parallel;
    elementwise(arguments, {parallel, nullptr, level});
    run_reference(scalar, inputs, want.view(test.shape, test.result), 0.75, 0.25);
    expect_alike(got, want, loop.run == scalar.run);
  }
}

void check_types_and_levels(const char* name, Function function,
                            std::span<const StrideCase> cases) {
  for (const CpuLevel level : testing::cpu_levels()) {
    for (int dtype = 0; dtype < kDTypeCount; ++dtype) {
      check_against_reference(name, function, static_cast<DType>(dtype), level, cases);
    }
  }
}

#define ELEMENTWISE_FUNCTION(Name, Types)                                                 \
  TEST(ElementwiseFunctions, Name) {                                                      \
    check_types_and_levels(#Name, Function::k##Name, std::span(kStrideCases).first<8>()); \
  }
#include "kernels/elementwise/functions.inc"

TEST(Elementwise, AnyStrides) {
  for (const Function function :
       {Function::kNegate, Function::kAdd, Function::kEqual, Function::kClip, Function::kSelect}) {
    check_types_and_levels("any strides", function, kStrideCases);
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

/// The scalar loop in f64 is the truth for the f32 loop of every level.
void check_function(Function function, CpuLevel level) {
  const ElementwiseLoop loop = find_elementwise_loop(function, DType::kF32, level);
  ASSERT_TRUE(loop.takes_single) << "the list says that there are vectors";
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

/// The last, partial vector gives the same bits as a whole one.
void check_positions(Function function, CpuLevel level) {
  const ElementwiseLoop loop = find_elementwise_loop(function, DType::kF32, level);
  std::vector<float> x = samples();
  x.resize(67);
  std::vector<float> together(x.size());
  DenseStrip strip;
  strip.alpha = 0.75;
  strip.beta = 0.25;
  const auto run = [&](std::size_t first, std::size_t count, float* result) {
    for (const void*& input : strip.inputs) {
      input = &x[first];
    }
    strip.result = result;
    strip.count = static_cast<std::int64_t>(count);
    loop.run(strip);
  };
  run(0, x.size(), together.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    float alone = 0;
    run(i, 1, &alone);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(alone), std::bit_cast<std::uint32_t>(together[i])) << i;
  }
}

/// Every function of the list at one level.
void check_f32_loops(CpuLevel level) {
  if (level > detected_cpu_level()) {
    GTEST_SKIP() << "this processor lacks " << name(level);
  }
  const auto check = [&](const char* name, Function function) {
    SCOPED_TRACE(name);
    check_positions(function, level);
    if (function != Function::kMultiplyAdd) {  // f64 sees what is left of a cancelled sum
      check_function(function, level);
    }
  };
#define F32_UNARY(Name) check(#Name, Function::k##Name);
#define F32_BINARY(Name) check(#Name, Function::k##Name);
#define F32_TERNARY(Name) check(#Name, Function::k##Name);
#define F32_POWER(Name) check(#Name, Function::k##Name);
#include "kernels/elementwise/kernels.inc"
}

#define F32_LOOPS(Level, space)       \
  TEST(ElementwiseF32Loops, Level) {  \
    check_f32_loops(CpuLevel::Level); \
  }
#include "kernels/elementwise/kernels.inc"

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

/// The same bits as base/half.h.
void check_half_conversions(CpuLevel level) {
  if (level > detected_cpu_level()) {
    GTEST_SKIP() << "this processor lacks " << name(level);
  }
  std::vector<float> x = samples();
  x.resize(20003);
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

TEST(HalfConversions, kPortable) {
  check_half_conversions(CpuLevel::kPortable);
}
#define HALF_CONVERSIONS(Level, space)       \
  TEST(HalfConversions, Level) {             \
    check_half_conversions(CpuLevel::Level); \
  }
#include "kernels/elementwise/kernels.inc"

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
