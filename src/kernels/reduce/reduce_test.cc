#include "kernels/reduce/reduce.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/backwards_for.h"
#include "support/cpu_levels.h"

namespace pliant::kernels {
namespace {

std::vector<float> random_values(std::size_t count, int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::vector<float> values(count);
  for (float& value : values) {
    value = std::uniform_real_distribution<float>(-1.0f, 1.0f)(random);
  }
  return values;
}

const std::int64_t kCounts[] = {1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 33, 64, 100, 1000, 1023, 1024};

TEST(BlockReduction, EveryLevelAgreesWithTheReference) {
  for (const CpuLevel level : testing::cpu_levels()) {
    for (const std::int64_t count : kCounts) {
      const std::vector<float> x = random_values(static_cast<std::size_t>(count), 1);
#define BLOCK_REDUCTION(Name)                                                                      \
  {                                                                                                \
    const float got = find_reduce_block(BlockReduction::k##Name, level)(x.data(), count, 0.5f);    \
    const float want = scalar_reduce_block<float>(BlockReduction::k##Name)(x.data(), count, 0.5f); \
    if (BlockReduction::k##Name == BlockReduction::kSumOfExponentials) {                           \
      EXPECT_NEAR(got, want, 1e-5f * want) << #Name << " " << count;                               \
    } else {                                                                                       \
      EXPECT_EQ(std::bit_cast<std::uint32_t>(got), std::bit_cast<std::uint32_t>(want))             \
          << #Name << " " << count;                                                                \
    }                                                                                              \
  }
#include "kernels/reduce/block_reductions.inc"
    }
  }
}

TEST(BlockReduction, ColumnsHaveTheBitsOfRows) {
  for (const CpuLevel level : testing::cpu_levels()) {
    for (const std::int64_t count : {1, 2, 9, 16, 40, 700}) {
      for (const std::int64_t columns : {1, 3, 8, 17, 63, 64}) {
        const std::vector<float> x = random_values(static_cast<std::size_t>(count * columns), 2);
        std::vector<std::int64_t> offsets;
        for (std::int64_t k = 0; k < count; ++k) {
          offsets.push_back(k * columns);
        }
        const std::vector<float> shifts(static_cast<std::size_t>(columns), 0.25f);
#define BLOCK_REDUCTION(Name)                                                          \
  {                                                                                    \
    std::vector<float> results(static_cast<std::size_t>(columns));                     \
    find_reduce_columns(BlockReduction::k##Name, level)(                               \
        {x.data(), offsets.data(), count, columns, shifts.data(), results.data()});    \
    for (std::int64_t j = 0; j < columns; ++j) {                                       \
      std::vector<float> row;                                                          \
      for (std::int64_t k = 0; k < count; ++k) {                                       \
        row.push_back(x[static_cast<std::size_t>(k * columns + j)]);                   \
      }                                                                                \
      const float want =                                                               \
          find_reduce_block(BlockReduction::k##Name, level)(row.data(), count, 0.25f); \
      ASSERT_EQ(std::bit_cast<std::uint32_t>(results[static_cast<std::size_t>(j)]),    \
                std::bit_cast<std::uint32_t>(want))                                    \
          << #Name << " " << count << " " << j;                                        \
    }                                                                                  \
  }
#include "kernels/reduce/block_reductions.inc"
      }
    }
  }
}

TEST(BlockReduction, NanWins) {
  for (const CpuLevel level : testing::cpu_levels()) {
    for (std::size_t place = 0; place < 37; ++place) {
      std::vector<float> x(37, 1.0f);
      x[place] = std::numeric_limits<float>::quiet_NaN();
      EXPECT_TRUE(std::isnan(find_reduce_block(BlockReduction::kMaximum, level)(x.data(), 37, 0)));
      EXPECT_TRUE(std::isnan(find_reduce_block(BlockReduction::kMinimum, level)(x.data(), 37, 0)));
    }
  }
}

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

ReducedAxes axes_of(const Case& test, const TensorView& x) {
  bool reduced[kMaxRank] = {};
  Shape kept = test.shape;
  for (const int axis : test.reduced) {
    reduced[axis] = true;
    kept[static_cast<std::size_t>(axis)] = 1;
  }
  return make_reduced_axes(x, reduced, contiguous_strides(kept));
}

std::vector<float> reduce_all(const Case& test, ReduceFunction function, const float* data,
                              const Strides& strides, CpuLevel level, ParallelFor& parallel) {
  const TensorView x{const_cast<float*>(data), DType::kF32, test.shape, strides};
  ReduceArguments arguments;
  arguments.axes = axes_of(test, x);
  std::vector<float> results(static_cast<std::size_t>(arguments.axes.result_count));
  arguments.source = {x.as<std::byte>(), 4, nullptr};
  arguments.target = {reinterpret_cast<std::byte*>(results.data()), 4, nullptr};
  arguments.method = find_reduce_method(function, DType::kF32);
  reduce(arguments, {parallel, nullptr, level});
  return results;
}

std::int64_t offset_of(const Shape& shape, const Strides& strides, std::int64_t index) {
  std::int64_t offset = 0;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    offset += index % shape[axis] * strides[axis];
    index /= shape[axis];
  }
  return offset;
}

TEST(Reduce, BitsDoNotDependOnStridesOrThreads) {
  for (const CpuLevel level : testing::cpu_levels()) {
    for (const Case& test : kCases) {
      const std::int64_t count = element_count(test.shape);
      const std::vector<float> row_major = random_values(static_cast<std::size_t>(count), 3);
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
      for (const auto function :
           {ReduceFunction::kSum, ReduceFunction::kMaximum, ReduceFunction::kLogSumExp,
            ReduceFunction::kL2, ReduceFunction::kProduct}) {
        SerialFor serial;
        testing::BackwardsFor backwards(1);
        const auto a = reduce_all(test, function, row_major.data(), strides, level, serial);
        const auto b = reduce_all(test, function, permuted.data(), other, level, backwards);
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
          ASSERT_EQ(std::bit_cast<std::uint32_t>(a[i]), std::bit_cast<std::uint32_t>(b[i]))
              << to_string(test.shape) << " function " << static_cast<int>(function) << " result "
              << i;
        }
      }
    }
  }
}

TEST(Reduce, AgreesWithDoublePrecision) {
  for (const CpuLevel level : testing::cpu_levels()) {
    for (const Case& test : kCases) {
      const std::int64_t count = element_count(test.shape);
      const std::vector<float> x = random_values(static_cast<std::size_t>(count), 4);
      Shape kept = test.shape;
      for (const int axis : test.reduced) {
        kept[static_cast<std::size_t>(axis)] = 1;
      }
      Strides target = contiguous_strides(kept);
      for (const int axis : test.reduced) {
        target[static_cast<std::size_t>(axis)] = 0;
      }
      const auto results = static_cast<std::size_t>(element_count(kept));
      const double each = static_cast<double>(count) / static_cast<double>(results);
      std::vector<double> sum(results);
      std::vector<double> squares(results);
      std::vector<double> exponentials(results);
      std::vector<double> highest(results, -1e9);
      for (std::int64_t i = 0; i < count; ++i) {
        const auto r = static_cast<std::size_t>(offset_of(test.shape, target, i));
        const double value = static_cast<double>(x[static_cast<std::size_t>(i)]);
        sum[r] += value;
        squares[r] += value * value;
        exponentials[r] += std::exp(value);
        highest[r] = std::max(highest[r], value);
      }
      SerialFor serial;
      const auto get = [&](ReduceFunction function) {
        return reduce_all(test, function, x.data(), contiguous_strides(test.shape), level, serial);
      };
      const auto mean = get(ReduceFunction::kMean);
      const auto l2 = get(ReduceFunction::kL2);
      const auto log_sum_exp = get(ReduceFunction::kLogSumExp);
      const auto maximum = get(ReduceFunction::kMaximum);
      for (std::size_t r = 0; r < results; ++r) {
        ASSERT_NEAR(mean[r], sum[r] / each, 1e-6) << to_string(test.shape);
        ASSERT_NEAR(l2[r], std::sqrt(squares[r]), 1e-6 * std::sqrt(squares[r]));
        ASSERT_NEAR(log_sum_exp[r], std::log(exponentials[r]), 2e-6);
        ASSERT_EQ(static_cast<double>(maximum[r]), highest[r]);
      }
    }
  }
}

TEST(Reduce, LongSumsOfEqualValuesStayExact) {
  const std::vector<float> x(3 * 512 * 512, 0.9f);
  SerialFor serial;
  const Case test{{3 * 512 * 512}, {0}};
  const auto mean =
      reduce_all(test, ReduceFunction::kMean, x.data(), {1}, detected_cpu_level(), serial);
  EXPECT_NEAR(mean[0], 0.9f, 1e-6f);
}

TEST(Reduce, LogSumExpIsSafe) {
  SerialFor serial;
  const Case test{{2}, {0}};
  const float infinity = std::numeric_limits<float>::infinity();
  const auto get = [&](float a, float b) {
    const float x[] = {a, b};
    return reduce_all(test, ReduceFunction::kLogSumExp, x, {1}, detected_cpu_level(), serial)[0];
  };
  EXPECT_FLOAT_EQ(get(1000.0f, 1000.0f), 1000.6931f);
  EXPECT_EQ(get(-infinity, -infinity), -infinity);
  EXPECT_EQ(get(infinity, 1.0f), infinity);
  EXPECT_FLOAT_EQ(get(-infinity, 3.0f), 3.0f);
}

TEST(ArgReduce, FirstOrLastAmongEquals) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {1, 5, 5, 0, 0, 2, /**/ 3, nan, 9, nan, 1, 0};
  for (const bool in_columns : {false, true}) {
    std::vector<float> memory(12);
    const Strides strides = in_columns ? Strides{1, 2} : Strides{6, 1};
    for (std::int64_t i = 0; i < 12; ++i) {
      memory[static_cast<std::size_t>(offset_of({2, 6}, strides, i))] =
          x[static_cast<std::size_t>(i)];
    }
    const TensorView view{memory.data(), DType::kF32, {2, 6}, strides};
    const auto get = [&](ArgReduction reduction) {
      ArgReduceArguments arguments;
      arguments.axes = axes_of({{2, 6}, {1}}, view);
      std::vector<std::int64_t> results(2);
      arguments.source = {view.as<std::byte>(), 4, nullptr};
      arguments.target = {reinterpret_cast<std::byte*>(results.data()), 8, nullptr};
      arguments.reduction = reduction;
      SerialFor serial;
      arg_reduce(arguments, {serial, nullptr, detected_cpu_level()});
      return results;
    };
    EXPECT_EQ(get(ArgReduction::kFirstMaximum), (std::vector<std::int64_t>{1, 1}));
    EXPECT_EQ(get(ArgReduction::kLastMaximum), (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(get(ArgReduction::kFirstMinimum), (std::vector<std::int64_t>{3, 1}));
    EXPECT_EQ(get(ArgReduction::kLastMinimum), (std::vector<std::int64_t>{4, 3}));
  }
}

}  // namespace
}  // namespace pliant::kernels
