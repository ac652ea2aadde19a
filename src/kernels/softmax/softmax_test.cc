#include "kernels/softmax/softmax.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/cpu_levels.h"

namespace pliant::kernels {
namespace {

constexpr RowFunction kFunctions[] = {RowFunction::kSoftmax, RowFunction::kLogSoftmax,
                                      RowFunction::kHardmax};

std::vector<float> random_values(std::size_t count) {
  std::mt19937 random(11);
  std::vector<float> values(count);
  for (float& value : values) {
    value = std::uniform_real_distribution<float>(-20.0f, 20.0f)(random);
  }
  return values;
}

TEST(SoftmaxRow, EveryLevelAgreesWithTheReference) {
  for (const CpuLevel level : testing::cpu_levels()) {
    for (const RowFunction function : kFunctions) {
      // The logarithm of a sum just above 1 has the sum's absolute error.
      const double absolute = function == RowFunction::kLogSoftmax ? 2e-7 : 1e-30;
      for (const std::int64_t count : {1, 2, 7, 8, 9, 16, 31, 64, 1000, 1024, 1025, 5000}) {
        const std::vector<float> x = random_values(static_cast<std::size_t>(count));
        const std::vector<double> wide(x.begin(), x.end());
        std::vector<float> y(x.size());
        std::vector<double> expected(x.size());
        find_row_function(function, level)(x.data(), y.data(), count);
        scalar_row_function<double>(function)(wide.data(), expected.data(), count);
        for (std::size_t i = 0; i < y.size(); ++i) {
          ASSERT_NEAR(y[i], expected[i], 5e-6 * std::abs(expected[i]) + absolute)
              << count << " " << i;
        }
      }
    }
  }
}

TEST(SoftmaxRow, InPlaceGivesTheSame) {
  for (const CpuLevel level : testing::cpu_levels()) {
    for (const RowFunction function : kFunctions) {
      std::vector<float> x = random_values(1100);
      std::vector<float> y(x.size());
      find_row_function(function, level)(x.data(), y.data(), 1100);
      find_row_function(function, level)(x.data(), x.data(), 1100);
      EXPECT_EQ(x, y);
    }
  }
}

TEST(SoftmaxRow, ExtremeRows) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const CpuLevel level : testing::cpu_levels()) {
    const auto softmax_of = [&](std::vector<float> x) {
      find_row_function(RowFunction::kSoftmax, level)(x.data(), x.data(),
                                                      static_cast<std::int64_t>(x.size()));
      return x;
    };
    EXPECT_TRUE(std::isnan(softmax_of({-infinity, -infinity, -infinity})[1]));
    EXPECT_EQ(softmax_of({1e30f, 1e30f}), (std::vector<float>{0.5f, 0.5f}));
    EXPECT_EQ(softmax_of({-infinity, 3.0f}), (std::vector<float>{0.0f, 1.0f}));
    EXPECT_EQ(softmax_of({-5.0f}), (std::vector<float>{1.0f}));
    EXPECT_EQ(softmax_of({0.0f, -1000.0f}), (std::vector<float>{1.0f, 0.0f}));
    EXPECT_TRUE(std::isnan(softmax_of({std::numeric_limits<float>::quiet_NaN(), 1.0f})[1]));
  }
}

TEST(Softmax, AnyAxisAndOrderGivesTheBitsOfARow) {
  const Shape shape{3, 20, 37};
  const std::vector<float> x = random_values(3 * 20 * 37);
  for (const CpuLevel level : testing::cpu_levels()) {
    for (const int axis : {0, 1, 2}) {
      SoftmaxArguments arguments;
      std::vector<float> y(x.size());
      bool along[kMaxRank] = {};
      along[axis] = true;
      const Strides strides = contiguous_strides(shape);
      const TensorView view{const_cast<float*>(x.data()), DType::kF32, shape, strides};
      arguments.axes = make_reduced_axes(view, along, strides);
      arguments.y_stride = strides[static_cast<std::size_t>(axis)];
      arguments.x = view.as<std::byte>();
      arguments.y = reinterpret_cast<std::byte*>(y.data());
      std::vector<std::byte> scratch(softmax_scratch_bytes(arguments, 1) + 64);
      SerialFor serial;
      softmax(arguments, {serial, scratch.data(), level});
      const auto extent = static_cast<std::size_t>(shape[static_cast<std::size_t>(axis)]);
      const auto stride = static_cast<std::size_t>(arguments.y_stride);
      for (std::size_t start = 0; start < x.size(); ++start) {
        if (start / stride % extent != 0) {
          continue;
        }
        std::vector<float> row;
        for (std::size_t k = 0; k < extent; ++k) {
          row.push_back(x[start + k * stride]);
        }
        find_row_function(RowFunction::kSoftmax, level)(row.data(), row.data(),
                                                        static_cast<std::int64_t>(extent));
        for (std::size_t k = 0; k < extent; ++k) {
          ASSERT_EQ(std::bit_cast<std::uint32_t>(y[start + k * stride]),
                    std::bit_cast<std::uint32_t>(row[k]));
        }
      }
    }
  }
}

}  // namespace
}  // namespace pliant::kernels
