#include "kernels/reduce/reduce.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/reduce/reference.h"
#include "support/as_double.h"
#include "support/backwards_for.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

using testing::as_double;
using testing::rounded;

/// A row of kernels.inc.
struct Kernels {
  CpuLevel level;
  ReduceBlock<float> (*reduce_block)(BlockReduction);
  ReduceColumns (*reduce_columns)(BlockReduction);
};
const Kernels kKernels[] = {
#define REDUCTION_KERNELS(Level, space) \
  {CpuLevel::Level, &space::reduce_block, &space::reduce_columns},
#include "kernels/reduce/kernels.inc"
};

struct Block {
  const char* name;
  BlockReduction reduction;
};
const Block kBlocks[] = {
#define BLOCK_REDUCTION(Name) {#Name, BlockReduction::k##Name},
#include "kernels/reduce/block_reductions.inc"
};

struct Function {
  const char* name;
  ReduceFunction function;
};
const Function kFunctions[] = {
#define REDUCE_FUNCTION(Name, ...) {#Name, ReduceFunction::k##Name},
#include "kernels/reduce/functions.inc"
};

constexpr ArgReduction kArgReductions[] = {ArgReduction::kFirstMaximum, ArgReduction::kLastMaximum,
                                           ArgReduction::kFirstMinimum, ArgReduction::kLastMinimum};

const DType kTypes[] = {
#define PLIANT_DTYPE(Name, ...) DType::k##Name,
#include <pliant/dtypes.def>
};

std::vector<float> random_values(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) {
    value = std::uniform_real_distribution<float>(-1.0f, 1.0f)(random);
  }
  return values;
}

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

/// Base of the tests of every row of kernels.inc.
class KernelsTest : public ::testing::TestWithParam<Kernels> {
 protected:
  void SetUp() override {
    if (GetParam().level > detected_cpu_level()) {
      GTEST_SKIP() << "this processor lacks " << name(GetParam().level);
    }
  }
  static CpuLevel level() { return GetParam().level; }
};

// ---- blocks ---------------------------------------------------------------------------------------

class BlockReductionTest : public KernelsTest {};

const std::int64_t kCounts[] = {1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 33, 64, 100, 1000, 1023, 1024};

TEST_P(BlockReductionTest, HasTheBitsOfTheScalarForm) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const std::int64_t count : kCounts) {
    const std::vector<float> plain = random_values(count, 1);
    std::vector<float> infinite = plain;
    infinite.back() = infinity;
    std::vector<float> without_number = plain;
    without_number[static_cast<std::size_t>(count / 2)] = std::numeric_limits<float>::quiet_NaN();
    for (const std::vector<float>& x : {plain, infinite, without_number}) {
      for (const Block& block : kBlocks) {
        const float got = GetParam().reduce_block(block.reduction)(x.data(), count, 0.5f);
        const float want = scalar_reduce_block<float>(block.reduction)(x.data(), count, 0.5f);
        if (block.reduction == BlockReduction::kSumOfExponentials && std::isfinite(want)) {
          EXPECT_NEAR(got, want, 1e-5f * want) << block.name << ' ' << count;
        } else {
          EXPECT_TRUE(same_bits(got, want)) << block.name << ' ' << count << ": " << got;
        }
      }
    }
  }
}

TEST_P(BlockReductionTest, ColumnsHaveTheBitsOfRows) {
  for (const std::int64_t count : {1, 2, 9, 15, 16, 17, 40, 700}) {
    for (const std::int64_t columns : {1, 3, 4, 7, 8, 9, 15, 16, 17, 63, 64}) {
      std::vector<float> x = random_values(count * columns, 2);
      x[x.size() / 3] = std::numeric_limits<float>::quiet_NaN();
      std::vector<std::int64_t> offsets;
      for (std::int64_t k = 0; k < count; ++k) {
        offsets.push_back(k * columns);
      }
      const std::vector<float> shifts(static_cast<std::size_t>(columns), 0.25f);
      for (const Block& block : kBlocks) {
        std::vector<float> results(static_cast<std::size_t>(columns));
        GetParam().reduce_columns(block.reduction)(
            {x.data(), offsets.data(), count, columns, shifts.data(), results.data()});
        for (std::int64_t j = 0; j < columns; ++j) {
          std::vector<float> row;
          for (std::int64_t k = 0; k < count; ++k) {
            row.push_back(x[static_cast<std::size_t>(k * columns + j)]);
          }
          const float want = GetParam().reduce_block(block.reduction)(row.data(), count, 0.25f);
          ASSERT_TRUE(same_bits(results[static_cast<std::size_t>(j)], want))
              << block.name << ' ' << count << ' ' << j;
        }
      }
    }
  }
}

TEST_P(BlockReductionTest, NanWinsInEveryPlace) {
  for (std::size_t place = 0; place < 37; ++place) {
    std::vector<float> x(37, 1.0f);
    x[place] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isnan(GetParam().reduce_block(BlockReduction::kMaximum)(x.data(), 37, 0)));
    EXPECT_TRUE(std::isnan(GetParam().reduce_block(BlockReduction::kMinimum)(x.data(), 37, 0)));
  }
}

TEST_P(BlockReductionTest, DispatchTakesTheRowOfTheLevel) {
  for (const Block& block : kBlocks) {
    EXPECT_EQ(find_reduce_block(block.reduction, level()),
              GetParam().reduce_block(block.reduction));
    EXPECT_EQ(find_reduce_columns(block.reduction, level()),
              GetParam().reduce_columns(block.reduction));
  }
}

// ---- tensors --------------------------------------------------------------------------------------

struct Case {
  Shape shape;
  std::vector<int> reduced;
};
const Case kCases[] = {
    {{2, 3, 4, 5}, {0}},
    {{2, 3, 4, 5}, {1}},
    {{2, 3, 4, 5}, {2}},
    {{2, 3, 4, 5}, {3}},
    {{2, 3, 4, 5}, {0, 1}},
    {{2, 3, 4, 5}, {2, 3}},
    {{2, 3, 4, 5}, {1, 3}},
    {{2, 3, 4, 5}, {0, 2, 3}},
    {{2, 3, 4, 5}, {0, 1, 2, 3}},
    {{7, 1, 130}, {0}},
    {{3, 2500}, {1}},
    {{2500, 70}, {0}},
    {{1, 1, 1, 1}, {1, 2}},
    {{5}, {0}},
    {{2, 2, 2, 2, 2, 2, 3, 40}, {1, 4, 7}},
    {{3, 40, 40}, {1, 2}},
};

/// The axes of a case with results in row-major order; sets `reduced` too.
ReducedAxes axes_of(const Case& test, const TensorView& x, bool (&reduced)[kMaxRank]) {
  Shape kept = test.shape;
  for (const int axis : test.reduced) {
    reduced[axis] = true;
    kept[static_cast<std::size_t>(axis)] = 1;
  }
  return make_reduced_axes(x, reduced, contiguous_strides(kept));
}

DenseLoop conversion_or_null(DType from, DType to, CpuLevel level) {
  return from == to ? nullptr : find_conversion(from, to, level);
}

std::int64_t offset_of(const Shape& shape, const Strides& strides, std::int64_t index) {
  std::int64_t offset = 0;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    offset += index % shape[axis] * strides[axis];
    index /= shape[axis];
  }
  return offset;
}

/// Numbers between -1 and 1, or small integers: few of them so that products stay in range.
template <class T>
std::vector<T> numbers(std::int64_t count) {
  std::vector<T> values;
  for (const float value : random_values(count, 5)) {
    const double number = static_cast<double>(value);
    values.push_back(rounded<T>(!std::is_integral_v<T>  ? number
                                : std::is_unsigned_v<T> ? std::floor(number * 2 + 2)
                                                        : std::floor(number * 3)));
  }
  return values;
}

/// Whether a result is the reference's number. Floats: but for sums in the computing type and one
/// rounding, where `magnitude` is the sum of the elements' absolute values. Integers: the whole part of
/// a number that fits.
template <class T>
bool is_close(T result, double want, double magnitude) {
  const double got = as_double(result);
  if constexpr (std::is_integral_v<T>) {
    const double whole = std::trunc(want + std::copysign(1e-9, want));
    const bool fits = std::abs(whole) < 0x1p53 &&
                      whole >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
                      whole <= static_cast<double>(std::numeric_limits<T>::max());
    return !fits || got == whole;
  } else {
    if (std::isnan(want) || std::isinf(want)) {
      return got == want || (std::isnan(got) && std::isnan(want));
    }
    const double computing = std::is_same_v<T, double> ? 1e-14 : 1e-6;
    const double rounding = std::is_same_v<T, Half>       ? 0x1p-11
                            : std::is_same_v<T, BFloat16> ? 0x1p-8
                                                          : 0;
    return std::abs(got - want) <=
           (4 * computing + rounding) * std::abs(want) + computing * magnitude + rounding * 0x1p-13;
  }
}

class ReduceTest : public KernelsTest {
 protected:
  static std::vector<float> reduce_f32(const Case& test, ReduceFunction function, const float* data,
                                       const Strides& strides, ParallelFor& parallel) {
    return reduce_all<float>(
        test, function, {const_cast<float*>(data), DType::kF32, test.shape, strides}, parallel);
  }
  static float log_sum_exp_of(float a, float b) {
    const float x[] = {a, b};
    SerialFor serial;
    return reduce_f32({{2}, {0}}, ReduceFunction::kLogSumExp, x, {1}, serial)[0];
  }

  template <class T>
  static std::vector<T> reduce_all(const Case& test, ReduceFunction function, const TensorView& x,
                                   ParallelFor& parallel) {
    bool reduced[kMaxRank] = {};
    ReduceArguments arguments;
    arguments.axes = axes_of(test, x, reduced);
    arguments.method = find_reduce_method(function, x.dtype);
    const DType computing = arguments.method.computing;
    std::vector<T> results(static_cast<std::size_t>(arguments.axes.result_count));
    const int bytes = static_cast<int>(sizeof(T));
    arguments.source = {x.as<std::byte>(), bytes, conversion_or_null(x.dtype, computing, level())};
    arguments.target = {reinterpret_cast<std::byte*>(results.data()), bytes,
                        conversion_or_null(computing, x.dtype, level())};
    reduce(arguments, {parallel, nullptr, level()});
    return results;
  }

  static std::vector<std::int64_t> arg_reduce_all(const Case& test, ArgReduction reduction,
                                                  const TensorView& x, ParallelFor& parallel) {
    bool reduced[kMaxRank] = {};
    ArgReduceArguments arguments;
    arguments.axes = axes_of(test, x, reduced);
    arguments.computing = find_reduce_method(ReduceFunction::kMaximum, x.dtype).computing;
    arguments.reduction = reduction;
    std::vector<std::int64_t> results(static_cast<std::size_t>(arguments.axes.result_count));
    arguments.source = {x.as<std::byte>(), static_cast<int>(byte_size(x.dtype)),
                        conversion_or_null(x.dtype, arguments.computing, level())};
    arguments.target = {reinterpret_cast<std::byte*>(results.data()), 8, nullptr};
    arg_reduce(arguments, {parallel, nullptr, level()});
    return results;
  }

  /// Every function of x agrees with the reference.
  template <class T>
  static void check(const Case& test, const TensorView& x) {
    SCOPED_TRACE(to_string(test.shape) + ' ' + std::string(name(x.dtype)));
    bool reduced[kMaxRank] = {};
    const auto count = static_cast<std::size_t>(axes_of(test, x, reduced).result_count);
    std::vector<double> expected(count);
    std::vector<double> magnitudes(count);
    reduce_reference(ReduceFunction::kL1, x, reduced, magnitudes.data());
    testing::BackwardsFor pieces(1);
    for (const Function& function : kFunctions) {
      const std::vector<T> results = reduce_all<T>(test, function.function, x, pieces);
      reduce_reference(function.function, x, reduced, expected.data());
      for (std::size_t i = 0; i < count; ++i) {
        // A logarithm's error is the relative one of what it is taken of.
        const double magnitude = function.function == ReduceFunction::kLogSum
                                     ? magnitudes[i] / std::exp(expected[i]) + 1
                                     : magnitudes[i] + 1;
        ASSERT_TRUE(is_close(results[i], expected[i], magnitude))
            << function.name << " result " << i << ": " << as_double(results[i]) << ", not "
            << expected[i];
      }
    }
    std::vector<std::int64_t> places(count);
    for (const ArgReduction reduction : kArgReductions) {
      arg_reduce_reference(reduction, x, reduced, places.data());
      ASSERT_EQ(arg_reduce_all(test, reduction, x, pieces), places)
          << "arg reduction " << static_cast<int>(reduction);
    }
  }
};

TEST_P(ReduceTest, AgreesWithTheReferenceOverAnyAxes) {
  for (const Case& test : kCases) {
    std::vector<float> x = numbers<float>(element_count(test.shape));
    check<float>(test, contiguous_view(x.data(), DType::kF32, test.shape));
  }
}

TEST_P(ReduceTest, AgreesWithTheReferenceForEveryType) {
  for (const DType dtype : kTypes) {
    visit_dtype(dtype, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (!std::is_same_v<T, bool>) {
        for (const Case& test : {Case{{3, 4, 5}, {1}}, Case{{3, 4, 5}, {0, 2}},
                                 Case{{2, 1100}, {1}}, Case{{40, 70}, {0}}, Case{{1}, {0}}}) {
          std::vector<T> x = numbers<T>(element_count(test.shape));
          check<T>(test, contiguous_view(x.data(), dtype, test.shape));
        }
      }
    });
  }
}

TEST_P(ReduceTest, AgreesWithTheReferenceForAnyStrides) {
  std::vector<float> x = numbers<float>(4000);
  float* const middle = x.data() + 2000;
  for (const Case& test : {Case{{5, 17, 3}, {1}}, Case{{5, 17, 3}, {0}}, Case{{5, 17, 3}, {2}},
                           Case{{5, 17, 3}, {0, 2}}, Case{{5, 17, 3}, {}}}) {
    check<float>(test, {x.data(), DType::kF32, test.shape, {1, 5, 85}});
    check<float>(test, {middle, DType::kF32, test.shape, {-51, 3, 1}});
    check<float>(test, {middle, DType::kF32, test.shape, {51, -3, -1}});
    check<float>(test, {middle, DType::kF32, test.shape, {0, 1, 20}});
    check<float>(test, {middle, DType::kF32, test.shape, {60, 0, 1}});
    check<float>(test, {middle, DType::kF32, test.shape, {-100, 2, 40}});
  }
}

TEST_P(ReduceTest, NaNAndInfinityAreInTheResultsOfTheirElements) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> x = numbers<float>(5 * 40);
  x[7] = std::numeric_limits<float>::quiet_NaN();
  x[39] = std::numeric_limits<float>::quiet_NaN();
  x[50] = infinity;
  x[90] = -infinity;
  x[130] = infinity;
  x[150] = -infinity;
  for (const int axis : {0, 1}) {
    check<float>({{5, 40}, {axis}}, contiguous_view(x.data(), DType::kF32, {5, 40}));
  }
  std::vector<float> infinite(20, -infinity);
  check<float>({{20}, {0}}, contiguous_view(infinite.data(), DType::kF32, {20}));
}

TEST_P(ReduceTest, NoResultsWriteNothing) {
  check<float>({{0, 4}, {1}}, contiguous_view(nullptr, DType::kF32, {0, 4}));
}

TEST(ReduceReference, ResultsOfNothingAreThoseOfTheList) {
  constexpr double kZero = 0;
  constexpr double kOne = 1;
  constexpr double kLowest = -std::numeric_limits<double>::infinity();
  constexpr double kHighest = std::numeric_limits<double>::infinity();
  constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
  const TensorView nothing = contiguous_view(nullptr, DType::kF32, {0});
  const bool reduced[kMaxRank] = {true};
#define REDUCE_FUNCTION(Name, Block, Finish, Integers, OfNothing)                           \
  {                                                                                         \
    double result = 2;                                                                      \
    reduce_reference(ReduceFunction::k##Name, nothing, reduced, &result);                   \
    EXPECT_TRUE(result == k##OfNothing || (std::isnan(result) && std::isnan(k##OfNothing))) \
        << #Name << " of nothing is " << result;                                            \
  }
#include "kernels/reduce/functions.inc"
}

TEST_P(ReduceTest, BitsDoNotDependOnStridesOrThreads) {
  for (const Case& test : kCases) {
    const std::int64_t count = element_count(test.shape);
    const std::vector<float> row_major = random_values(count, 3);
    std::vector<int> reversed;
    for (std::size_t axis = test.shape.size(); axis-- > 0;) {
      reversed.push_back(static_cast<int>(axis));
    }
    const Strides strides = contiguous_strides(test.shape);
    const Strides other = permuted_strides(test.shape, reversed);
    std::vector<float> permuted(row_major.size());
    for (std::int64_t i = 0; i < count; ++i) {
      permuted[static_cast<std::size_t>(offset_of(test.shape, other, i))] =
          row_major[static_cast<std::size_t>(i)];
    }
    for (const Function& function : kFunctions) {
      SerialFor serial;
      testing::BackwardsFor backwards(1);
      const auto a = reduce_f32(test, function.function, row_major.data(), strides, serial);
      const auto b = reduce_f32(test, function.function, permuted.data(), other, backwards);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_TRUE(same_bits(a[i], b[i]))
            << to_string(test.shape) << ' ' << function.name << " result " << i;
      }
    }
  }
}

TEST_P(ReduceTest, LongSumsOfEqualValuesStayExact) {
  const std::vector<float> x(3 * 512 * 512, 0.9f);
  SerialFor serial;
  const Case test{{3 * 512 * 512}, {0}};
  const auto mean = reduce_f32(test, ReduceFunction::kMean, x.data(), {1}, serial);
  EXPECT_NEAR(mean[0], 0.9f, 1e-6f);
}

TEST_P(ReduceTest, LogSumExpIsSafe) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_FLOAT_EQ(log_sum_exp_of(1000.0f, 1000.0f), 1000.6931f);
  EXPECT_EQ(log_sum_exp_of(-infinity, -infinity), -infinity);
  EXPECT_EQ(log_sum_exp_of(infinity, 1.0f), infinity);
  EXPECT_FLOAT_EQ(log_sum_exp_of(-infinity, 3.0f), 3.0f);
}

TEST_P(ReduceTest, FirstOrLastPlaceAmongEquals) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {1, 5, 5, 0, 0, 2, /**/ 3, nan, 9, nan, 1, 0};
  SerialFor serial;
  for (const Strides& strides : {Strides{1, 2}, Strides{6, 1}}) {  // in columns, in rows
    std::vector<float> memory(12);
    for (std::int64_t i = 0; i < 12; ++i) {
      memory[static_cast<std::size_t>(offset_of({2, 6}, strides, i))] =
          x[static_cast<std::size_t>(i)];
    }
    const TensorView view{memory.data(), DType::kF32, {2, 6}, strides};
    const Case test{{2, 6}, {1}};
    check<float>(test, view);
    EXPECT_EQ(arg_reduce_all(test, ArgReduction::kFirstMaximum, view, serial),
              (std::vector<std::int64_t>{1, 1}));
    EXPECT_EQ(arg_reduce_all(test, ArgReduction::kLastMaximum, view, serial),
              (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(arg_reduce_all(test, ArgReduction::kFirstMinimum, view, serial),
              (std::vector<std::int64_t>{3, 1}));
    EXPECT_EQ(arg_reduce_all(test, ArgReduction::kLastMinimum, view, serial),
              (std::vector<std::int64_t>{4, 3}));
  }
}

std::string level_name(const ::testing::TestParamInfo<Kernels>& kernels) {
  return std::string(name(kernels.param.level));
}
INSTANTIATE_TEST_SUITE_P(Levels, BlockReductionTest, ::testing::ValuesIn(kKernels), level_name);
INSTANTIATE_TEST_SUITE_P(Levels, ReduceTest, ::testing::ValuesIn(kKernels), level_name);

}  // namespace
}  // namespace pliant::kernels
