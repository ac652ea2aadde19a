#include "kernels/scan/cumulative_sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/scan/reference.h"
#include "support/as_double.h"
#include "support/backwards_for.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

using Own = CumulativeSumArguments::Own;
using From = CumulativeSumArguments::From;
using testing::as_double;
using testing::rounded;

/// A row of kernels.inc.
struct Kernel {
  CpuLevel level;
  const char* name;
  void (*run)(const CumulativeSumArguments&, const KernelContext&);
};
const Kernel kKernels[] = {
#define SCAN_KERNELS(Level, function) {CpuLevel::Level, #function, &(function)},
#include "kernels/scan/kernels.inc"
};

const DType kTypes[] = {
#define PLIANT_DTYPE(Name, ...) DType::k##Name,
#include <pliant/dtypes.def>
};

class CumulativeSumTest : public ::testing::TestWithParam<Kernel> {
 protected:
  void SetUp() override {
    if (GetParam().level > detected_cpu_level()) {
      GTEST_SKIP() << "this processor lacks " << name(GetParam().level);
    }
  }

  static void run(const TensorView& x, const TensorView& y, std::size_t axis, Own own, From from,
                  ParallelFor& parallel) {
    bool along[kMaxRank] = {};
    along[axis] = true;
    CumulativeSumArguments arguments;
    arguments.axes = make_reduced_axes(x, along, y.strides);
    arguments.x_stride = x.strides[axis];
    arguments.y_stride = y.strides[axis];
    arguments.x = x.data;
    arguments.y = y.data;
    arguments.dtype = x.dtype;
    arguments.own = own;
    arguments.from = from;
    GetParam().run(arguments, {parallel, nullptr, GetParam().level});
  }

  /// Every axis and direction of x gives the bits of the reference.
  static void check(const TensorView& x) {
    SCOPED_TRACE(to_string(x.shape));
    visit_dtype(x.dtype, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (!std::is_same_v<T, bool>) {
        const auto count = static_cast<std::size_t>(x.element_count());
        std::vector<double> expected(count);
        std::vector<T> sums(count);
        testing::BackwardsFor pieces(1);
        for (std::size_t axis = 0; axis < x.shape.size(); ++axis) {
          for (const Own own : {Own::kIncluded, Own::kExcluded}) {
            for (const From from : {From::kBegin, From::kEnd}) {
              run(x, contiguous_view(sums.data(), x.dtype, x.shape), axis, own, from, pieces);
              cumulative_sum_reference(x, static_cast<int>(axis), own, from, expected.data());
              for (std::size_t i = 0; i < count; ++i) {
                const double want = as_double(rounded<T>(expected[i]));
                const double got = as_double(sums[i]);
                ASSERT_TRUE(got == want || (std::isnan(got) && std::isnan(want)))
                    << name(x.dtype) << " axis " << axis << " element " << i << ": " << got
                    << ", not " << want;
              }
            }
          }
        }
      }
    });
  }
};

/// Numbers of which some are negative where the type has those; sums of many leave 8 bits.
template <class T>
std::vector<T> numbers(std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  std::uint32_t state = 7;
  for (T& value : values) {
    state = state * 1664525u + 1013904223u;
    const auto number = static_cast<double>(state >> 24) - (std::is_unsigned_v<T> ? 0 : 100);
    value = rounded<T>(std::is_integral_v<T> ? number / 4 : number / 7);
  }
  return values;
}

TEST_P(CumulativeSumTest, EveryTypeGivesTheBitsOfTheReference) {
  for (const DType dtype : kTypes) {
    visit_dtype(dtype, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (!std::is_same_v<T, bool>) {
        for (const Shape& shape : {Shape{1}, Shape{5}, Shape{3, 70}, Shape{2, 3, 4}}) {
          std::vector<T> x = numbers<T>(element_count(shape));
          check(contiguous_view(x.data(), dtype, shape));
        }
      }
    });
  }
}

TEST_P(CumulativeSumTest, LinesSideBySideEndWhereTheyMust) {
  for (const std::int64_t lines : {1, 2, 63, 64, 65, 129}) {
    for (const std::int64_t length : {1, 2, 7}) {
      std::vector<float> x = numbers<float>(lines * length);
      check(contiguous_view(x.data(), DType::kF32, {lines, length}));
      check(contiguous_view(x.data(), DType::kF32, {length, lines}));
    }
  }
}

TEST_P(CumulativeSumTest, AnyStrides) {
  std::vector<float> x = numbers<float>(200);
  float* const middle = x.data() + 100;
  check({x.data(), DType::kF32, {4, 5}, {1, 4}});       // transposed
  check({middle, DType::kF32, {4, 5}, {-5, 1}});        // backwards
  check({middle, DType::kF32, {4, 5}, {7, -1}});        // with gaps
  check({middle, DType::kF32, {4, 5}, {0, 1}});         // broadcast
  check({middle, DType::kF32, {3, 2, 4}, {2, 0, -6}});  // all of it
  std::vector<float> y(20, -1.0f);
  std::vector<double> expected(20);
  const TensorView source{x.data(), DType::kF32, {4, 5}, {5, 1}};
  const TensorView target{y.data() + 15, DType::kF32, {4, 5}, {-5, 1}};
  SerialFor serial;
  run(source, target, 1, Own::kIncluded, From::kBegin, serial);
  cumulative_sum_reference(source, 1, Own::kIncluded, From::kBegin, expected.data());
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(static_cast<double>(y[(3 - i / 5) * 5 + i % 5]), expected[i]) << i;
  }
}

TEST_P(CumulativeSumTest, NaNAndInfinityStayInTheSums) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> x = numbers<float>(30);
  x[7] = std::numeric_limits<float>::quiet_NaN();
  x[12] = infinity;
  x[14] = -infinity;
  x[22] = 3e38f;
  x[23] = 3e38f;
  check(contiguous_view(x.data(), DType::kF32, {3, 10}));
}

TEST_P(CumulativeSumTest, NoLinesWriteNothing) {
  float untouched = 3.0f;
  SerialFor serial;
  run(contiguous_view(nullptr, DType::kF32, {0, 4}),
      contiguous_view(&untouched, DType::kF32, {0, 4}), 1, Own::kIncluded, From::kBegin, serial);
  EXPECT_EQ(untouched, 3.0f);
}

TEST_P(CumulativeSumTest, Integers64WrapAndStayExact) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t x[] = {most, 1, -1, most};
  std::int64_t y[4] = {};
  SerialFor serial;
  run(contiguous_view(x, DType::kI64, {4}), contiguous_view(y, DType::kI64, {4}), 0, Own::kIncluded,
      From::kBegin, serial);
  EXPECT_EQ(y[0], most);
  EXPECT_EQ(y[1], std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(y[2], most);
  EXPECT_EQ(y[3], -2);
}

INSTANTIATE_TEST_SUITE_P(Kernels, CumulativeSumTest, ::testing::ValuesIn(kKernels),
                         [](const auto& kernel) { return std::string(kernel.param.name); });

}  // namespace
}  // namespace pliant::kernels
