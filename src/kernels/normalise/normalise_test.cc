#include "kernels/normalise/normalise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/normalise/reference.h"
#include "support/as_double.h"
#include "support/backwards_for.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

using testing::as_double;
using testing::rounded;
using Kind = LayerNormArguments::Kind;

/// A row of kernels.inc.
struct Kernels {
  CpuLevel level;
  void (*scale_row)(const ScaleRow<float>&);
  void (*scale_segment)(const ScaleSegment<float>&);
};
const Kernels kKernels[] = {
#define NORMALISE_KERNELS(Level, space) {CpuLevel::Level, &space::scale_row, &space::scale_segment},
#include "kernels/normalise/kernels.inc"
};

template <class T>
using Computing = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <class T>
std::vector<T> numbers(std::int64_t count, double mean, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) {
    value = rounded<T>(mean + static_cast<double>(std::normal_distribution<float>()(random)));
  }
  return values;
}

template <class T>
std::byte* bytes_of(std::vector<T>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

/// Scale and bias as the reference reads them, and as kernels get them: read where they are, or copied
/// from a tensor that lies backwards and may have another type.
template <class T>
struct Parameters {
  std::vector<T> scale;
  std::vector<T> bias;
  std::vector<T> scale_backwards{scale.rbegin(), scale.rend()};
  std::vector<T> bias_backwards{bias.rbegin(), bias.rend()};

  explicit Parameters(std::int64_t count)
      : scale(numbers<T>(count, 1, 2)), bias(numbers<T>(count, -1, 3)) {}

  static NormaliseParameter in_place(std::vector<T>& values) {
    NormaliseParameter parameter;
    parameter.data = bytes_of(values);
    return parameter;
  }
  static NormaliseParameter prepared(std::vector<T>& backwards, std::int64_t offset,
                                     CpuLevel level) {
    const Shape shape{static_cast<std::int64_t>(backwards.size())};
    const DType computing = kDTypeOf<Computing<T>>;
    ElementwiseLoop loop;
    loop.run = find_conversion(kDTypeOf<T>, computing, level);
    loop.input_count = 1;
    loop.inputs[0] = kDTypeOf<T>;
    loop.result = computing;
    const TensorView source{backwards.data() + backwards.size() - 1, kDTypeOf<T>, shape, {-1}};
    NormaliseParameter parameter;
    parameter.prepared = true;
    parameter.scratch_offset = offset;
    parameter.copy =
        make_elementwise(loop, &source, contiguous_view(nullptr, computing, shape), level);
    return parameter;
  }
};

class NormaliseTest : public ::testing::TestWithParam<Kernels> {
 protected:
  void SetUp() override {
    if (GetParam().level > detected_cpu_level()) {
      GTEST_SKIP() << "this processor lacks " << name(GetParam().level);
    }
  }
  static CpuLevel level() { return GetParam().level; }

  /// Runs with scratch memory for two parameters and a row per worker.
  template <class T, class Arguments>
  static void run(void (*kernel)(const Arguments&, const KernelContext&), Arguments arguments,
                  std::int64_t parameter_count, std::int64_t row_length, ParallelFor& parallel) {
    const std::int64_t bytes = parameter_bytes<T>(parameter_count);
    arguments.rows_offset = 2 * bytes;
    if (sizeof(T) == 2) {
      arguments.to_f32 = find_conversion(kDTypeOf<T>, DType::kF32, level());
      arguments.from_f32 = find_conversion(DType::kF32, kDTypeOf<T>, level());
    }
    std::vector<std::uint64_t> scratch(
        static_cast<std::size_t>(2 * bytes + row_length * 4 * parallel.worker_count()) / 8 + 1);
    kernel(arguments, {parallel, reinterpret_cast<std::byte*>(scratch.data()), level()});
  }
  template <class T>
  static std::int64_t parameter_bytes(std::int64_t count) {
    return (count * static_cast<std::int64_t>(sizeof(Computing<T>)) + 63) / 64 * 64;
  }

  /// `scaling` is the largest factor that an element of x meets: its errors, and those of a mean, grow
  /// with it.
  template <class T>
  static void expect_close(const std::vector<T>& y, const std::vector<double>& expected,
                           double scaling) {
    const double computing = std::is_same_v<T, double> ? 1e-13 : 2e-6;
    const double rounding = std::is_same_v<T, Half>       ? 0x1p-11
                            : std::is_same_v<T, BFloat16> ? 0x1p-8
                                                          : 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double got = as_double(y[i]);
      const double want = expected[i];
      const double allowed =
          (computing + rounding) * std::abs(want) + computing * (scaling + 1) + rounding * 0x1p-13;
      ASSERT_TRUE(std::isnan(want) ? std::isnan(got) : std::abs(got - want) <= allowed)
          << name(kDTypeOf<T>) << " element " << i << " of " << y.size() << ": " << got << ", not "
          << want;
    }
  }

  template <class T>
  static void check_layer_norm(Kind kind, std::vector<T> x, std::int64_t row_count,
                               std::int64_t row_length, double magnitude) {
    SCOPED_TRACE(std::to_string(row_count) + " rows of " + std::to_string(row_length));
    Parameters<T> parameters(row_length);
    for (const bool has_scale : {false, true}) {
      for (const bool has_bias : {false, true}) {
        LayerNormArguments arguments;
        arguments.kind = kind;
        arguments.x = bytes_of(x);
        arguments.row_count = row_count;
        arguments.row_length = row_length;
        arguments.epsilon = 1e-5;
        arguments.dtype = kDTypeOf<T>;
        if (has_scale) {
          arguments.scale = Parameters<T>::in_place(parameters.scale);
        }
        if (has_bias) {
          arguments.bias = Parameters<T>::in_place(parameters.bias);
        }
        std::vector<double> expected(x.size());
        std::vector<RowStatistics> statistics(static_cast<std::size_t>(row_count));
        layer_norm_reference(arguments, expected.data(), statistics.data());

        std::vector<T> y(x.size());
        std::vector<float> mean(statistics.size());
        std::vector<float> inverse(statistics.size());
        arguments.y = bytes_of(y);
        arguments.mean = mean.data();
        arguments.inverse_deviation = inverse.data();
        double scaling = 0;
        for (const RowStatistics& row : statistics) {
          scaling = std::fmax(scaling, 4 * magnitude * row.inverse_deviation);
        }
        SerialFor serial;
        testing::BackwardsFor pieces(1);
        if (sizeof(T) > 2) {
          run<T>(&layer_norm, arguments, row_length, row_length, serial);
          expect_close(y, expected, scaling);
        }
        if (has_scale && row_length > 0) {
          arguments.scale = Parameters<T>::prepared(parameters.scale_backwards, 0, level());
        }
        if (has_bias && row_length > 0) {
          arguments.bias = Parameters<T>::prepared(parameters.bias_backwards,
                                                   parameter_bytes<T>(row_length), level());
        }
        run<T>(&layer_norm, arguments, row_length, row_length, pieces);
        expect_close(y, expected, scaling);
        std::vector<double> means;
        std::vector<double> inverses;
        for (const RowStatistics& row : statistics) {
          means.push_back(row.mean);
          inverses.push_back(row.inverse_deviation);
        }
        expect_close(mean, means, magnitude);
        expect_close(inverse, inverses, scaling);
      }
    }
  }

  template <class T>
  static void check_group_norm(std::int64_t batch, std::int64_t channels, std::int64_t positions,
                               std::int64_t groups) {
    SCOPED_TRACE(std::to_string(channels) + " channels of " + std::to_string(positions));
    std::vector<T> x = numbers<T>(batch * channels * positions, 0.5, 1);
    Parameters<T> parameters(channels);
    GroupNormArguments arguments;
    arguments.x = bytes_of(x);
    arguments.batch = batch;
    arguments.channels = channels;
    arguments.positions = positions;
    arguments.groups = groups;
    arguments.epsilon = 1e-3;
    arguments.scale = Parameters<T>::in_place(parameters.scale);
    arguments.bias = Parameters<T>::in_place(parameters.bias);
    arguments.dtype = kDTypeOf<T>;
    std::vector<double> expected(x.size());
    group_norm_reference(arguments, expected.data());
    std::vector<T> y(x.size());
    arguments.y = bytes_of(y);
    const std::int64_t row_length = channels / groups * positions;
    const double scaling = row_length > 2 ? 20 : 100;
    SerialFor serial;
    testing::BackwardsFor pieces(1);
    if (sizeof(T) > 2) {
      run<T>(&group_norm, arguments, channels, row_length, serial);
      expect_close(y, expected, scaling);
    }
    arguments.scale = Parameters<T>::prepared(parameters.scale_backwards, 0, level());
    arguments.bias =
        Parameters<T>::prepared(parameters.bias_backwards, parameter_bytes<T>(channels), level());
    run<T>(&group_norm, arguments, channels, row_length, pieces);
    expect_close(y, expected, scaling);
  }

  /// x and y: [batch, channels, …] with any strides within their memory.
  template <class T>
  static void check_batch_norm(const TensorView& x, std::vector<T>& memory, const TensorView& y) {
    const std::int64_t channels = x.shape[1];
    Parameters<T> parameters(channels);
    std::vector<T> mean = numbers<T>(channels, 0, 4);
    std::vector<T> variance = numbers<T>(2 * channels, 0, 5);  // of which every second counts
    for (T& value : variance) {
      value = rounded<T>(0.5 + std::abs(as_double(value)));
    }
    BatchNormArguments arguments;
    arguments.scale = {bytes_of(parameters.scale), 1};
    arguments.bias = {bytes_of(parameters.bias), 1};
    arguments.mean = {bytes_of(mean) + (mean.size() - 1) * sizeof(T), -1};
    arguments.variance = {bytes_of(variance), 2};
    arguments.channels = channels;
    arguments.epsilon = 1e-5;
    arguments.dtype = kDTypeOf<T>;
    std::vector<double> expected(static_cast<std::size_t>(x.element_count()));
    batch_norm_reference(arguments, x, expected.data());

    TensorView per_channel{nullptr, kDTypeOf<Computing<T>>, x.shape, Strides(x.shape.size(), 0)};
    per_channel.strides[1] = 1;
    const TensorView inputs[] = {x, per_channel, per_channel};
    arguments.loop = make_elementwise(
        find_elementwise_loop(ElementwiseFunction::kMultiplyAdd, kDTypeOf<T>, level()), inputs, y,
        level());
    std::vector<double> scratch(static_cast<std::size_t>(2 * channels));
    testing::BackwardsFor pieces(64);
    batch_norm(arguments, {pieces, reinterpret_cast<std::byte*>(scratch.data()), level()});
    std::vector<T> got;
    const std::int64_t rest = x.element_count() / (x.shape[0] * channels);
    for (std::int64_t i = 0; i < x.element_count(); ++i) {
      // Axes after the channels lie in order in all tensors of these tests.
      const std::int64_t at = i / rest / channels * y.strides[0] +
                              i / rest % channels * y.strides[1] + i % rest * y.strides[2];
      got.push_back(memory[static_cast<std::size_t>(at)]);
    }
    expect_close(got, expected, 10);
  }
};

TEST_P(NormaliseTest, LayerNormAgreesWithTheReferenceAroundLanesAndBlocks) {
  for (const std::int64_t length :
       {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 64, 768, 1023, 1024, 1025, 3000}) {
    for (const double mean : {0.0, 100.0}) {
      check_layer_norm(Kind::kLayerNorm, numbers<float>(3 * length, mean, 1), 3, length, mean + 4);
      check_layer_norm(Kind::kRmsNorm, numbers<float>(3 * length, mean, 1), 3, length, mean + 4);
    }
  }
}

TEST_P(NormaliseTest, LayerNormOfOtherTypes) {
  for (const std::int64_t length : {1, 2, 9, 100, 1030}) {
    for (const Kind kind : {Kind::kLayerNorm, Kind::kRmsNorm}) {
      check_layer_norm(kind, numbers<double>(4 * length, 1, 1), 4, length, 5);
      check_layer_norm(kind, numbers<Half>(4 * length, 1, 1), 4, length, 5);
      check_layer_norm(kind, numbers<BFloat16>(4 * length, 1, 1), 4, length, 5);
    }
  }
}

TEST_P(NormaliseTest, NaNAndInfinityStayInTheirRows) {
  for (const Kind kind : {Kind::kLayerNorm, Kind::kRmsNorm}) {
    std::vector<float> x = numbers<float>(4 * 19, 0, 1);
    x[20] = std::numeric_limits<float>::quiet_NaN();
    x[40] = std::numeric_limits<float>::infinity();
    x[41] = -std::numeric_limits<float>::infinity();
    check_layer_norm(kind, x, 4, 19, 4);
  }
}

TEST_P(NormaliseTest, NoRowsAndRowsOfNothing) {
  check_layer_norm(Kind::kLayerNorm, std::vector<float>{}, 0, 5, 1);
  check_layer_norm(Kind::kLayerNorm, std::vector<float>{}, 3, 0, 1);  // statistics are NaN
}

TEST_P(NormaliseTest, GroupNormAgreesWithTheReference) {
  for (const std::int64_t positions : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 600}) {
    check_group_norm<float>(2, 6, positions, 1);
    check_group_norm<float>(2, 6, positions, 2);
    check_group_norm<float>(1, 6, positions, 6);
  }
  check_group_norm<float>(0, 4, 3, 2);
  check_group_norm<double>(2, 6, 19, 2);
  check_group_norm<Half>(2, 6, 19, 2);
  check_group_norm<BFloat16>(2, 6, 19, 3);
}

TEST_P(NormaliseTest, BatchNormAgreesWithTheReferenceForAnyStrides) {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    std::vector<T> x = numbers<T>(400, 0, 1);
    std::vector<T> y(400);
    T* const middle = x.data() + 200;
    const auto run = [&](T* data, const Shape& shape, const Strides& x_strides,
                         const Strides& y_strides) {
      check_batch_norm<T>({data, kDTypeOf<T>, shape, x_strides}, y,
                          {y.data(), kDTypeOf<T>, shape, y_strides});
    };
    run(x.data(), {2, 5, 17}, {85, 17, 1}, {85, 17, 1});
    run(x.data(), {2, 5, 17}, {85, 1, 5}, {85, 1, 5});  // channels last
    run(middle, {2, 5, 17}, {-85, 17, 1}, {85, 17, 1});
    run(middle, {2, 5, 17}, {0, 2, -3}, {85, 17, 1});
    run(x.data(), {1, 1, 1}, {1, 1, 1}, {1, 1, 1});
  };
  check(float{});
  check(double{});
  check(Half{});
  check(BFloat16{});
}

TEST_P(NormaliseTest, LoopsLeaveWhatIsBesideARowAlone) {
  std::vector<float> x = numbers<float>(40, 0, 1);
  for (std::int64_t count = 0; count <= 33; ++count) {
    std::vector<float> y(40, 7.0f);
    GetParam().scale_row({x.data(), y.data(), count, 0.5f, 2.0f, nullptr, nullptr});
    std::vector<float> z(40, 7.0f);
    GetParam().scale_segment({x.data(), z.data(), count, 0.5f, 2.0f, 1.0f});
    for (std::size_t i = 0; i < y.size(); ++i) {
      const bool inside = static_cast<std::int64_t>(i) < count;
      EXPECT_EQ(y[i], inside ? (x[i] - 0.5f) * 2.0f : 7.0f);
      EXPECT_FLOAT_EQ(z[i], inside ? (x[i] - 0.5f) * 2.0f + 1.0f : 7.0f);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, NormaliseTest, ::testing::ValuesIn(kKernels),
                         [](const auto& kernels) {
                           return std::string(name(kernels.param.level));
                         });

}  // namespace
}  // namespace pliant::kernels
