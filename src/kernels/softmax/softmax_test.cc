#include "kernels/softmax/softmax.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kernels/softmax/reference.h"
#include "support/as_double.h"
#include "support/backwards_for.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

using testing::as_double;

/// A row of kernels.inc.
struct Kernels {
  CpuLevel level;
  ApplyToRow<float> softmax;
  ApplyToRow<float> log_softmax;
};
const Kernels kKernels[] = {
#define SOFTMAX_KERNELS(Level, space) \
  {CpuLevel::Level, &space::softmax_row, &space::log_softmax_row},
#include "kernels/softmax/kernels.inc"
};

constexpr RowFunction kFunctions[] = {RowFunction::kSoftmax, RowFunction::kLogSoftmax,
                                      RowFunction::kHardmax};

std::vector<float> random_values(std::int64_t count) {
  std::mt19937 random(11);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) {
    value = std::uniform_real_distribution<float>(-20.0f, 20.0f)(random);
  }
  return values;
}

/// Whether a result of type `dtype` is the reference's number, but for what exponentials and sums of
/// the computing type, and one rounding, may do.
bool is_close(double got, double want, RowFunction function, DType dtype) {
  if (std::isnan(want) || std::isinf(want)) {
    return got == want || (std::isnan(got) && std::isnan(want));
  }
  const double relative = dtype == DType::kF64    ? 1e-13
                          : dtype == DType::kF32  ? 5e-6
                          : dtype == DType::kBF16 ? 0x1p-8
                                                  : 0x1p-10;
  // The logarithm of a sum just above 1 has the sum's absolute error. f16 has no small numbers.
  const double of_logarithm = dtype == DType::kF64 ? 1e-15 : 2e-7;
  const double absolute = (function == RowFunction::kLogSoftmax ? of_logarithm : 1e-30) +
                          (dtype == DType::kF16 ? 0x1p-24 : 0.0);
  return std::abs(got - want) <= relative * std::abs(want) + absolute;
}

class SoftmaxTest : public ::testing::TestWithParam<Kernels> {
 protected:
  void SetUp() override {
    if (GetParam().level > detected_cpu_level()) {
      GTEST_SKIP() << "this processor lacks " << name(GetParam().level);
    }
  }

  static std::vector<float> apply(ApplyToRow<float> function, std::vector<float> row) {
    function(row.data(), row.data(), static_cast<std::int64_t>(row.size()));
    return row;
  }

  static void run(RowFunction function, const TensorView& x, const TensorView& y, std::size_t axis,
                  ParallelFor& parallel) {
    const CpuLevel level = GetParam().level;
    SoftmaxArguments arguments;
    arguments.function = function;
    bool along[kMaxRank] = {};
    along[axis] = true;
    arguments.axes = make_reduced_axes(x, along, y.strides);
    arguments.y_stride = y.strides[axis];
    arguments.x = x.as<std::byte>();
    arguments.y = y.as<std::byte>();
    arguments.element_bytes = static_cast<int>(byte_size(x.dtype));
    arguments.computing = x.dtype == DType::kF64 ? DType::kF64 : DType::kF32;
    if (arguments.computing != x.dtype) {
      arguments.to_computing = find_conversion(x.dtype, arguments.computing, level);
      arguments.from_computing = find_conversion(arguments.computing, x.dtype, level);
    }
    std::vector<std::byte> memory(softmax_scratch_bytes(arguments, parallel.worker_count()) + 64);
    void* scratch = memory.data();
    std::size_t space = memory.size();
    std::align(64, memory.size() - 64, scratch, space);
    softmax(arguments, {parallel, static_cast<std::byte*>(scratch), level});
  }

  /// Every function along every axis of x is close to the reference, the same for any threads.
  template <class T>
  static void check(const TensorView& x) {
    SCOPED_TRACE(to_string(x.shape) + ' ' + std::string(name(x.dtype)));
    const auto count = static_cast<std::size_t>(x.element_count());
    std::vector<T> y(count);
    std::vector<T> in_pieces(count);
    std::vector<double> expected(count);
    SerialFor serial;
    testing::BackwardsFor pieces(1);
    for (const RowFunction function : kFunctions) {
      for (std::size_t axis = 0; axis < x.shape.size(); ++axis) {
        run(function, x, contiguous_view(y.data(), x.dtype, x.shape), axis, serial);
        run(function, x, contiguous_view(in_pieces.data(), x.dtype, x.shape), axis, pieces);
        softmax_reference(function, x, static_cast<int>(axis), expected.data());
        for (std::size_t i = 0; i < count; ++i) {
          const double got = as_double(y[i]);
          ASSERT_TRUE(is_close(got, expected[i], function, x.dtype))
              << "function " << static_cast<int>(function) << " axis " << axis << " element " << i
              << ": " << got << ", not " << expected[i];
          ASSERT_TRUE(got == as_double(in_pieces[i]) || std::isnan(got));
        }
      }
    }
  }
};

TEST_P(SoftmaxTest, RowsAgreeWithTheReferenceAroundLanesAndBlocks) {
  for (const std::int64_t count :
       {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 1000, 1023, 1024, 1025, 2049, 5000}) {
    std::vector<float> x = random_values(count);
    check<float>(contiguous_view(x.data(), DType::kF32, {count}));
  }
}

TEST_P(SoftmaxTest, DispatchTakesTheRowOfTheLevel) {
  EXPECT_EQ(find_row_function(RowFunction::kSoftmax, GetParam().level), GetParam().softmax);
  EXPECT_EQ(find_row_function(RowFunction::kLogSoftmax, GetParam().level), GetParam().log_softmax);
}

TEST_P(SoftmaxTest, InPlaceGivesTheSame) {
  for (const RowFunction function : kFunctions) {
    std::vector<float> x = random_values(1100);
    std::vector<float> y(x.size());
    find_row_function(function, GetParam().level)(x.data(), y.data(), 1100);
    EXPECT_EQ(apply(find_row_function(function, GetParam().level), x), y);
  }
}

TEST_P(SoftmaxTest, ExtremeRows) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> rows[] = {{-infinity, -infinity, -infinity},
                               {infinity, 1.0f, -infinity, 2.0f},
                               {-infinity, 3.0f, -infinity, 2.0f, -infinity},
                               {nan, 1.0f},
                               {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f, 9.0f, nan, nan}};
  for (std::vector<float>& row : rows) {
    check<float>(contiguous_view(row.data(), DType::kF32, {static_cast<std::int64_t>(row.size())}));
  }
  const ApplyToRow<float> softmax = GetParam().softmax;
  EXPECT_EQ(apply(softmax, {1e30f, 1e30f}), (std::vector<float>{0.5f, 0.5f}));
  EXPECT_EQ(apply(softmax, {-infinity, 3.0f}), (std::vector<float>{0.0f, 1.0f}));
  EXPECT_EQ(apply(softmax, {-5.0f}), (std::vector<float>{1.0f}));
  EXPECT_EQ(apply(softmax, {0.0f, -1000.0f}), (std::vector<float>{1.0f, 0.0f}));
}

TEST_P(SoftmaxTest, OtherTypes) {
  const Shape shape{3, 20, 37};
  const std::vector<float> values = random_values(element_count(shape));
  std::vector<double> doubles(values.begin(), values.end());
  check<double>(contiguous_view(doubles.data(), DType::kF64, shape));
  std::vector<Half> halves;
  std::vector<BFloat16> brain_floats;
  for (const float value : values) {
    halves.push_back(to_half(value));
    brain_floats.push_back(to_bfloat16(value));
  }
  check<Half>(contiguous_view(halves.data(), DType::kF16, shape));
  check<BFloat16>(contiguous_view(brain_floats.data(), DType::kBF16, shape));
}

TEST_P(SoftmaxTest, AnyStrides) {
  std::vector<float> x = random_values(4000);
  float* const middle = x.data() + 2000;
  check<float>({x.data(), DType::kF32, {5, 17}, {1, 5}});         // transposed
  check<float>({middle, DType::kF32, {5, 17}, {-17, 1}});         // backwards
  check<float>({middle, DType::kF32, {5, 17}, {17, -1}});         // each row backwards
  check<float>({middle, DType::kF32, {5, 17}, {0, 1}});           // the same row
  check<float>({middle, DType::kF32, {5, 17}, {1, 0}});           // rows of one number
  check<float>({middle, DType::kF32, {3, 33, 2}, {100, 2, -1}});  // gaps
  check<float>({x.data(), DType::kF32, {1, 40, 1, 3}, {9, 1, 7, 50}});
}

TEST_P(SoftmaxTest, NoRowsWriteNothing) {
  float untouched = 3.0f;
  SerialFor serial;
  run(RowFunction::kSoftmax, contiguous_view(nullptr, DType::kF32, {0, 4}),
      contiguous_view(&untouched, DType::kF32, {0, 4}), 1, serial);
  EXPECT_EQ(untouched, 3.0f);
}

TEST_P(SoftmaxTest, AnyAxisAndOrderGivesTheBitsOfARow) {
  const Shape shape{3, 20, 37};
  std::vector<float> x = random_values(element_count(shape));
  std::vector<float> y(x.size());
  const TensorView view = contiguous_view(x.data(), DType::kF32, shape);
  const TensorView result = contiguous_view(y.data(), DType::kF32, shape);
  SerialFor serial;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    run(RowFunction::kSoftmax, view, result, axis, serial);
    const auto extent = static_cast<std::size_t>(shape[axis]);
    const auto stride = static_cast<std::size_t>(view.strides[axis]);
    for (std::size_t start = 0; start < x.size(); ++start) {
      if (start / stride % extent != 0) {
        continue;
      }
      std::vector<float> row;
      for (std::size_t k = 0; k < extent; ++k) {
        row.push_back(x[start + k * stride]);
      }
      row = apply(GetParam().softmax, row);
      for (std::size_t k = 0; k < extent; ++k) {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(y[start + k * stride]),
                  std::bit_cast<std::uint32_t>(row[k]));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, SoftmaxTest, ::testing::ValuesIn(kKernels),
                         [](const auto& kernels) {
                           return std::string(name(kernels.param.level));
                         });

}  // namespace
}  // namespace pliant::kernels
