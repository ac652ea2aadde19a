#include "kernels/convolution/convolution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "kernels/convolution/depthwise.h"
#include "kernels/convolution/direct.h"
#include "support/as_double.h"
#include "support/backwards_for.h"

namespace pliant::kernels::convolution {
namespace {

std::vector<float> random_values(std::int64_t count, std::uint32_t seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(seed >> 8) / 8388608.0f - 1.0f;
  }
  return values;
}

struct Case {
  std::int64_t batch, group, channels, outputs;
  WindowAxis depth, height, width;
};

WindowAxis axis(std::int64_t input, std::int64_t window, std::int64_t stride, std::int64_t dilation,
                std::int64_t pad_begin, std::int64_t pad_end) {
  WindowAxis result{input, 0, window, stride, dilation, pad_begin, pad_end};
  result.output = (input + pad_begin + pad_end - (window - 1) * dilation - 1) / stride + 1;
  return result;
}

WindowAxis transposed(WindowAxis from, std::int64_t output_padding) {
  from.output = (from.input - 1) * from.stride + output_padding +
                (from.window - 1) * from.dilation + 1 - from.pad_begin - from.pad_end;
  return from;
}

enum class Layout { kChannelsFirst, kChannelsLast };

void dense_strides(Layout layout, std::int64_t channels, std::int64_t d, std::int64_t h,
                   std::int64_t w, std::int64_t (&strides)[5]) {
  if (layout == Layout::kChannelsLast) {
    set_channels_last(channels, {d, h, w}, strides);
    return;
  }
  const std::int64_t row_major[5] = {channels * d * h * w, d * h * w, h * w, w, 1};
  std::copy(std::begin(row_major), std::end(row_major), std::begin(strides));
}

ConvolutionShape shape_of(const Case& c, Layout layout, bool is_transposed) {
  ConvolutionShape shape;
  shape.batch = c.batch;
  shape.group = c.group;
  shape.channels = c.channels;
  shape.outputs = c.outputs;
  shape.axes[0] = c.depth;
  shape.axes[1] = c.height;
  shape.axes[2] = c.width;
  dense_strides(layout, c.group * c.channels, c.depth.input, c.height.input, c.width.input,
                shape.x_strides);
  set_channels_last(c.group * c.outputs, {c.depth.output, c.height.output, c.width.output},
                    shape.y_strides);
  const std::int64_t taps = shape.taps();
  shape.tap_strides[0] = c.height.window * c.width.window;
  shape.tap_strides[1] = c.width.window;
  shape.tap_strides[2] = 1;
  shape.output_stride = is_transposed ? taps : taps * c.channels;
  shape.channel_stride = is_transposed ? taps * c.outputs : taps;
  shape.group_stride = taps * c.channels * c.outputs;
  shape.bias_stride = 1;
  return shape;
}

/// The offsets say where the first elements are, for shapes with negative strides.
struct Data {
  std::vector<float> x, weights, bias;
  std::int64_t x_offset = 0;
  std::int64_t weights_offset = 0;
};

Data data_for(const ConvolutionShape& shape) {
  const std::int64_t x = shape.batch * shape.total_channels() * shape.axes[0].input *
                         shape.axes[1].input * shape.axes[2].input;
  return {random_values(x, 1), random_values(shape.group_stride * shape.group, 2),
          random_values(shape.total_outputs(), 3)};
}

/// The reference on numbers that are rounded to T.
template <class T>
std::vector<T> reference(const ConvolutionShape& shape, const Data& data, bool is_transposed) {
  const auto converted = [](const std::vector<float>& values) {
    std::vector<T> result;
    for (const float value : values) {
      if constexpr (std::is_same_v<T, Half>) {
        result.push_back(to_half(value));
      } else if constexpr (std::is_same_v<T, BFloat16>) {
        result.push_back(to_bfloat16(value));
      } else {
        result.push_back(static_cast<T>(value));
      }
    }
    return result;
  };
  const std::vector<T> x = converted(data.x);
  const std::vector<T> weights = converted(data.weights);
  const std::vector<T> bias = converted(data.bias);
  std::vector<T> y(static_cast<std::size_t>(shape.pixels() * shape.total_outputs()));
  SerialFor serial;
  DirectArguments<T, T, T> arguments;
  arguments.shape = shape;
  arguments.x = x.data() + data.x_offset;
  arguments.weights = weights.data() + data.weights_offset;
  arguments.bias = bias.empty() ? nullptr : bias.data();
  arguments.y = y.data();
  (is_transposed ? convolve_transposed_direct<T> : convolve_direct<T, T, T>)(arguments, {serial});
  return y;
}

std::vector<float> fast(const ConvolutionShape& shape, const Data& data, bool is_transposed,
                        CpuLevel level, bool prepacked, ParallelFor& parallel) {
  std::vector<float> y(static_cast<std::size_t>(shape.pixels() * shape.total_outputs()), NAN);
  std::vector<float> packed;
  if (prepacked) {
    packed.resize(static_cast<std::size_t>(
        (is_transposed ? transposed_packed_elements : packed_elements)(shape, level)));
    (is_transposed ? pack_transposed_weights : pack_weights)(
        shape, data.weights.data() + data.weights_offset, level, packed.data(), parallel);
  }
  const std::size_t bytes = (is_transposed ? transposed_scratch_bytes : scratch_bytes)(
      shape, level, prepacked, parallel.worker_count());
  std::vector<std::byte> memory(bytes + 64);
  void* scratch = memory.data();
  std::size_t space = memory.size();
  std::align(64, bytes, scratch, space);
  const ConvolutionArguments arguments{shape,
                                       data.x.data() + data.x_offset,
                                       data.weights.data() + data.weights_offset,
                                       prepacked ? packed.data() : nullptr,
                                       data.bias.empty() ? nullptr : data.bias.data(),
                                       y.data()};
  (is_transposed ? convolve_transposed : convolve)(
      arguments, {parallel, static_cast<std::byte*>(scratch), level});
  return y;
}

const WindowAxis kNone{1, 1, 1, 1, 1, 0, 0};

const std::vector<Case>& cases() {
  static const std::vector<Case> list{
      {1, 1, 3, 16, kNone, axis(9, 3, 2, 1, 1, 1),
       axis(11, 3, 2, 1, 1, 1)},                              // first layer of an image model
      {2, 1, 1, 5, kNone, kNone, axis(37, 7, 3, 2, 4, 1)},    // audio, dilated
      {1, 1, 1, 33, kNone, kNone, axis(50, 16, 4, 1, 8, 9)},  // few channels, wide filter
      {2, 1, 40, 70, kNone, axis(5, 3, 1, 1, 1, 1), axis(6, 3, 1, 1, 1, 1)},  // a pointer per tap
      {3, 1, 17, 19, kNone, axis(4, 1, 1, 1, 0, 0), axis(7, 1, 1, 1, 0, 0)},  // 1 x 1
      {1, 1, 8, 8, kNone, axis(5, 3, 2, 2, 3, 2), axis(5, 5, 2, 1, 0, 4)},    // uneven pads
      {1, 4, 3, 5, kNone, axis(6, 3, 1, 1, 1, 1), axis(6, 3, 2, 1, 1, 0)},    // grouped
      {2, 37, 1, 1, kNone, axis(7, 3, 1, 1, 1, 1), axis(9, 5, 2, 1, 2, 2)},   // depthwise
      {1, 5, 1, 2, kNone, axis(5, 3, 1, 1, 0, 0),
       axis(5, 3, 1, 1, 0, 0)},  // depthwise, two outputs each
      {1, 1, 4, 6, axis(4, 2, 1, 1, 1, 0), axis(5, 3, 1, 1, 1, 1), axis(6, 3, 1, 1, 1, 1)},
      {1, 1, 6, 7, kNone, axis(1, 3, 1, 1, 1, 1),
       axis(1, 3, 1, 1, 1, 1)},  // one pixel, mostly padding
      {1, 1, 2, 3, kNone, axis(2, 2, 3, 1, 3, 3),
       axis(2, 2, 3, 1, 3, 3)},  // windows wholly in padding
      {1, 1, 5, 1, kNone, axis(8, 3, 1, 1, 1, 1),
       axis(200, 3, 1, 1, 1, 1)},  // one output, many blocks
  };
  return list;
}

/// A row of kernels.inc.
struct Kernels {
  CpuLevel level;
  DepthwiseKernels depthwise;
};
const Kernels kKernels[] = {
#define DEPTHWISE_KERNELS(Level, space) {CpuLevel::Level, space::kDepthwise},
#include "kernels/convolution/kernels.inc"
};

class ConvolutionTest : public ::testing::TestWithParam<Kernels> {
 protected:
  void SetUp() override {
    if (GetParam().level > detected_cpu_level()) {
      GTEST_SKIP() << "this processor lacks " << name(GetParam().level);
    }
  }

  static std::vector<float> run(const ConvolutionShape& shape, const Data& data) {
    SerialFor serial;
    return fast(shape, data, false, GetParam().level, true, serial);
  }

  /// Close to the reference in f64; without fused additions, the bits of the reference in f32. Threads
  /// and packing beforehand change nothing.
  static void check(const ConvolutionShape& shape, const Data& data, bool is_transposed) {
    const CpuLevel level = GetParam().level;
    SerialFor serial;
    testing::BackwardsFor backwards(1);
    const std::vector<float> y = fast(shape, data, is_transposed, level, true, serial);
    const std::vector<double> expected = reference<double>(shape, data, is_transposed);
    const std::vector<float> chains = reference<float>(shape, data, is_transposed);
    const std::vector<float> in_pieces = fast(shape, data, is_transposed, level, false, backwards);
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (std::isnan(expected[i])) {
        ASSERT_TRUE(std::isnan(y[i])) << "element " << i;
        continue;
      }
      if (std::isinf(expected[i])) {
        ASSERT_EQ(static_cast<double>(y[i]), expected[i]) << "element " << i;
        continue;
      }
      ASSERT_NEAR(y[i], expected[i], 2e-5 * (1.0 + std::fabs(expected[i]))) << "element " << i;
      ASSERT_EQ(y[i], in_pieces[i]) << "threads or packing change element " << i;
      if (level == CpuLevel::kPortable) {
        ASSERT_EQ(y[i], chains[i]) << "element " << i;
      }
    }
  }
  static void check(const ConvolutionShape& shape, bool is_transposed) {
    check(shape, data_for(shape), is_transposed);
  }
};

TEST_P(ConvolutionTest, AgreesWithTheReference) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(&c - cases().data());
    for (const Layout layout : {Layout::kChannelsFirst, Layout::kChannelsLast}) {
      const ConvolutionShape shape = shape_of(c, layout, false);
      check(shape, false);
      Data without_bias = data_for(shape);
      without_bias.bias.clear();
      check(shape, without_bias, false);
    }
  }
}

TEST_P(ConvolutionTest, TransposedAgreesWithTheReference) {
  for (Case c : cases()) {
    c.depth = transposed(c.depth, 0);
    c.height = transposed(c.height, 0);
    c.width = transposed(c.width, c.width.stride - 1);
    if (c.depth.output <= 0 || c.height.output <= 0 || c.width.output <= 0) {
      continue;  // padding leaves no result
    }
    SCOPED_TRACE(::testing::Message() << c.channels << " channels, " << c.outputs << " outputs");
    for (const Layout layout : {Layout::kChannelsFirst, Layout::kChannelsLast}) {
      check(shape_of(c, layout, true), true);
    }
  }
}

TEST_P(ConvolutionTest, DepthwiseAgreesWithTheReferenceAroundLanesAndRows) {
  EXPECT_EQ(&depthwise_kernels(GetParam().level), &GetParam().depthwise);
  for (const std::int64_t channels :
       {2, 3, 4, 5, 7, 8, 9, 11, 12, 15, 16, 17, 24, 31, 32, 33, 47, 63, 64, 65}) {
    for (const std::int64_t width : {1, 2, 3, 4, 5, 8, 9}) {
      const ConvolutionShape shape =
          shape_of({1, channels, 1, 1, kNone, axis(3, 3, 1, 1, 1, 1), axis(width, 1, 1, 1, 0, 0)},
                   Layout::kChannelsLast, false);
      SCOPED_TRACE(::testing::Message() << channels << " channels, width " << width);
      check(shape, false);
      Data without_bias = data_for(shape);
      without_bias.bias.clear();
      check(shape, without_bias, false);
    }
  }
}

TEST_P(ConvolutionTest, TilesAgreeWithTheReferenceAroundPanelsAndRows) {
  for (const std::int64_t outputs : {1, 7, 8, 9, 15, 16, 17, 31, 32, 33}) {
    for (const std::int64_t width : {1, 5, 6, 7, 12, 13}) {
      check(shape_of({1, 1, 3, outputs, kNone, kNone, axis(width, 3, 1, 1, 1, 1)},
                     Layout::kChannelsLast, false),
            false);
    }
  }
}

TEST_P(ConvolutionTest, AnyStridesOfXAndWeights) {
  const Case dense{2, 1, 3, 5, kNone, axis(4, 3, 1, 1, 1, 1), axis(6, 2, 1, 1, 0, 1)};
  const Case depthwise{2, 9, 1, 1, kNone, axis(4, 3, 1, 1, 1, 1), axis(6, 2, 1, 1, 0, 1)};
  const Case grouped{2, 2, 3, 4, kNone, axis(4, 3, 1, 1, 1, 1), axis(6, 2, 1, 1, 0, 1)};
  const std::int64_t strides_of_x[][5] = {
      {1, 2, 0, 64, 16},     // images innermost
      {300, 24, 0, -6, -1},  // upside down
      {300, -24, 0, 6, 1},   // channels backwards
      {300, 0, 0, 6, 1},     // one channel for all
      {0, 1, 0, 0, 9},       // one image, one row
      {700, 1, 0, 100, 11},  // channels last with gaps
  };
  for (const Case& c : {dense, depthwise, grouped}) {
    for (const auto& strides : strides_of_x) {
      ConvolutionShape shape = shape_of(c, Layout::kChannelsLast, false);
      Data data = data_for(shape);
      data.x = random_values(4000, 4);
      data.x_offset = 2000;
      std::copy(std::begin(strides), std::end(strides), std::begin(shape.x_strides));
      check(shape, data, false);
      // Weights with neighbouring outputs, taps backwards.
      shape.output_stride = 1;
      shape.channel_stride = shape.outputs;
      shape.tap_strides[1] = -2 * shape.channels * shape.outputs;
      shape.tap_strides[2] = shape.channels * shape.outputs;
      data.weights_offset = 4 * shape.channels * shape.outputs;
      check(shape, data, false);
    }
  }
}

TEST_P(ConvolutionTest, TransposedWithAnyStridesOfX) {
  Case c{2, 1, 3, 5, kNone, axis(4, 3, 2, 1, 1, 1), axis(6, 2, 1, 1, 0, 1)};
  c.height = transposed(c.height, 1);
  c.width = transposed(c.width, 0);
  for (const auto& strides : {std::vector<std::int64_t>{300, 24, 0, -6, -1}, {0, 1, 0, 0, 9}}) {
    ConvolutionShape shape = shape_of(c, Layout::kChannelsLast, true);
    Data data = data_for(shape);
    data.x = random_values(4000, 4);
    data.x_offset = 2000;
    std::copy(strides.begin(), strides.end(), std::begin(shape.x_strides));
    check(shape, data, true);
  }
}

TEST_P(ConvolutionTest, NoChannelsGiveTheBias) {
  const Case c{2, 1, 0, 5, kNone, kNone, axis(6, 3, 1, 1, 1, 1)};
  const ConvolutionShape shape = shape_of(c, Layout::kChannelsLast, false);
  Data data = data_for(shape);
  data.x = {0.0f};
  data.weights = {0.0f};
  check(shape, data, false);
}

TEST_P(ConvolutionTest, AnImageHasTheSameBitsInAnyBatch) {
  for (const Case& c : {cases()[3], cases()[7], cases()[0]}) {
    Case three = c;
    three.batch = 3;
    Case one = c;
    one.batch = 1;
    const ConvolutionShape together = shape_of(three, Layout::kChannelsLast, false);
    const ConvolutionShape alone = shape_of(one, Layout::kChannelsLast, false);
    const Data data = data_for(together);
    Data last = data;
    last.x.erase(last.x.begin(), last.x.begin() + 2 * together.x_strides[0]);
    std::vector<float> all = run(together, data);
    all.erase(all.begin(), all.begin() + 2 * together.y_strides[0]);
    EXPECT_EQ(run(alone, last), all);
  }
}

TEST_P(ConvolutionTest, NaNAndInfinityStayWhereTheirWindowsAre) {
  const Case dense{1, 1, 2, 3, kNone, kNone, axis(20, 3, 1, 1, 1, 1)};
  const Case depthwise{1, 3, 1, 1, kNone, kNone, axis(20, 3, 1, 1, 1, 1)};
  for (const Case& c : {dense, depthwise}) {
    const ConvolutionShape shape = shape_of(c, Layout::kChannelsLast, false);
    const auto channels = static_cast<std::size_t>(shape.total_channels());
    Data data = data_for(shape);
    data.x[channels * 10] = std::numeric_limits<float>::infinity();
    data.x[channels * 2] = std::numeric_limits<float>::quiet_NaN();
    check(shape, data, false);
    const std::vector<float> y = run(shape, data);
    for (std::size_t pixel = 0; pixel < 20; ++pixel) {
      EXPECT_EQ(std::isinf(y[pixel * 3]), pixel >= 9 && pixel <= 11) << pixel;
      EXPECT_EQ(std::isnan(y[pixel * 3]), pixel >= 1 && pixel <= 3) << pixel;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, ConvolutionTest, ::testing::ValuesIn(kKernels),
                         [](const auto& kernels) {
                           return std::string(name(kernels.param.level));
                         });

// ---- the reference, which is what runs other types ------------------------------------------------

template <class T>
void expect_rounded(const ConvolutionShape& shape, const Data& data, bool is_transposed,
                    double rounding) {
  Data representable = data;  // numbers that the type has
  for (std::vector<float>* values :
       {&representable.x, &representable.weights, &representable.bias}) {
    for (float& value : *values) {
      value = std::round(value * 64.0f) / 64.0f;
    }
  }
  const std::vector<T> y = reference<T>(shape, representable, is_transposed);
  const std::vector<double> expected = reference<double>(shape, representable, is_transposed);
  for (std::size_t i = 0; i < y.size(); ++i) {
    ASSERT_NEAR(testing::as_double(y[i]), expected[i], rounding * std::fabs(expected[i]) + 1e-5);
  }
}

TEST(ConvolutionReference, SixteenBitFloatsAreRoundedOnce) {
  for (const std::size_t i : {0, 3, 6, 7}) {
    const ConvolutionShape shape = shape_of(cases()[i], Layout::kChannelsFirst, false);
    expect_rounded<Half>(shape, data_for(shape), false, 0x1p-11);
    expect_rounded<BFloat16>(shape, data_for(shape), false, 0x1p-8);
  }
}

/// 8-bit sums are those of the differences from the zero points, and padding counts as a zero point.
template <class X, class W>
void expect_sums_of_differences() {
  const ConvolutionShape shape = shape_of(cases()[6], Layout::kChannelsFirst, false);
  const Data data = data_for(shape);
  const X x_zero = 11;
  std::vector<W> weights_zero(static_cast<std::size_t>(shape.total_outputs()));
  for (std::size_t i = 0; i < weights_zero.size(); ++i) {
    weights_zero[i] = static_cast<W>(3 + i);
  }
  Data differences = data;
  differences.bias.clear();
  std::vector<X> x;
  for (float& value : differences.x) {
    x.push_back(static_cast<X>(50.0f + 50.0f * value));
    value = static_cast<float>(x.back()) - static_cast<float>(x_zero);
  }
  std::vector<W> weights;
  for (std::size_t i = 0; i < data.weights.size(); ++i) {
    weights.push_back(static_cast<W>(50.0f + 50.0f * data.weights[i]));
    differences.weights[i] =
        static_cast<float>(weights[i]) -
        static_cast<float>(weights_zero[i / static_cast<std::size_t>(shape.output_stride)]);
  }
  std::vector<std::int32_t> y(static_cast<std::size_t>(shape.pixels() * shape.total_outputs()));
  SerialFor serial;
  DirectArguments<X, W, std::int32_t> arguments;
  arguments.shape = shape;
  arguments.x = x.data();
  arguments.weights = weights.data();
  arguments.y = y.data();
  arguments.x_zero = &x_zero;
  arguments.weights_zero = weights_zero.data();
  arguments.weights_zero_stride = 1;
  convolve_direct<X, W, std::int32_t>(arguments, {serial});
  const std::vector<double> expected = reference<double>(shape, differences, false);
  for (std::size_t i = 0; i < y.size(); ++i) {
    ASSERT_EQ(static_cast<double>(y[i]), expected[i]) << "element " << i;
  }
}

TEST(ConvolutionReference, IntegersAreExact) {
  expect_sums_of_differences<std::uint8_t, std::uint8_t>();
  expect_sums_of_differences<std::uint8_t, std::int8_t>();
  expect_sums_of_differences<std::int8_t, std::uint8_t>();
  expect_sums_of_differences<std::int8_t, std::int8_t>();
}

}  // namespace
}  // namespace pliant::kernels::convolution
