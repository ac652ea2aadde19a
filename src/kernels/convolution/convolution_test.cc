#include "kernels/convolution/convolution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/convolution/direct.h"
#include "support/backwards_for.h"
#include "support/cpu_levels.h"

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

struct Data {
  std::vector<float> x, weights, bias;
};

Data data_for(const ConvolutionShape& shape) {
  const std::int64_t x = shape.batch * shape.total_channels() * shape.axes[0].input *
                         shape.axes[1].input * shape.axes[2].input;
  return {random_values(x, 1), random_values(shape.group_stride * shape.group, 2),
          random_values(shape.total_outputs(), 3)};
}

std::vector<float> direct(const ConvolutionShape& shape, const Data& data, bool is_transposed) {
  std::vector<float> y(static_cast<std::size_t>(shape.pixels() * shape.total_outputs()), NAN);
  SerialFor serial;
  DirectArguments<float, float, float> arguments;
  arguments.shape = shape;
  arguments.x = data.x.data();
  arguments.weights = data.weights.data();
  arguments.bias = data.bias.data();
  arguments.y = y.data();
  (is_transposed ? convolve_transposed_direct<float>
                 : convolve_direct<float, float, float>)(arguments, {serial});
  return y;
}

std::vector<float> fast(const ConvolutionShape& shape, const Data& data, bool is_transposed,
                        CpuLevel level, bool prepacked, ParallelFor& parallel) {
  std::vector<float> y(static_cast<std::size_t>(shape.pixels() * shape.total_outputs()), NAN);
  std::vector<float> packed;
  if (prepacked) {
    packed.resize(static_cast<std::size_t>(
        (is_transposed ? transposed_packed_elements : packed_elements)(shape, level)));
    (is_transposed ? pack_transposed_weights : pack_weights)(shape, data.weights.data(), level,
                                                             packed.data(), parallel);
  }
  const std::size_t bytes = (is_transposed ? transposed_scratch_bytes : scratch_bytes)(
      shape, level, prepacked, parallel.worker_count());
  std::vector<std::byte> memory(bytes + 64);
  void* scratch = memory.data();
  std::size_t space = memory.size();
  std::align(64, bytes, scratch, space);
  const ConvolutionArguments arguments{shape,
                                       data.x.data(),
                                       data.weights.data(),
                                       prepacked ? packed.data() : nullptr,
                                       data.bias.data(),
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

void expect_close(const std::vector<float>& actual, const std::vector<float>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], 2e-5f * (1.0f + std::fabs(expected[i]))) << "element " << i;
  }
}

class Convolution : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Convolution, EveryLevelMatchesTheFormula) {
  const Case& c = cases()[GetParam()];
  for (const Layout layout : {Layout::kChannelsFirst, Layout::kChannelsLast}) {
    const ConvolutionShape shape = shape_of(c, layout, false);
    const Data data = data_for(shape);
    const std::vector<float> expected = direct(shape, data, false);
    for (const CpuLevel level : testing::cpu_levels()) {
      SCOPED_TRACE(name(level));
      SerialFor serial;
      testing::BackwardsFor backwards(1);
      const std::vector<float> packed = fast(shape, data, false, level, true, serial);
      expect_close(packed, expected);
      EXPECT_EQ(fast(shape, data, false, level, false, backwards), packed)
          << "threads or packing change bits";
    }
  }
}

TEST_P(Convolution, TransposedMatchesTheFormula) {
  Case c = cases()[GetParam()];
  c.depth = transposed(c.depth, 0);
  c.height = transposed(c.height, 0);
  c.width = transposed(c.width, c.width.stride - 1);
  if (c.depth.output <= 0 || c.height.output <= 0 || c.width.output <= 0) {
    GTEST_SKIP() << "padding leaves no result";
  }
  for (const Layout layout : {Layout::kChannelsFirst, Layout::kChannelsLast}) {
    const ConvolutionShape shape = shape_of(c, layout, true);
    const Data data = data_for(shape);
    const std::vector<float> expected = direct(shape, data, true);
    for (const CpuLevel level : testing::cpu_levels()) {
      SCOPED_TRACE(name(level));
      SerialFor serial;
      testing::BackwardsFor backwards(1);
      const std::vector<float> packed = fast(shape, data, true, level, true, serial);
      expect_close(packed, expected);
      EXPECT_EQ(fast(shape, data, true, level, false, backwards), packed)
          << "threads or packing change bits";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Convolution, ::testing::Range<std::size_t>(0, 13));

TEST(ConvolutionNumbers, AnImageHasTheSameBitsInAnyBatch) {
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
    for (const CpuLevel level : testing::cpu_levels()) {
      SerialFor serial;
      std::vector<float> all = fast(together, data, false, level, true, serial);
      all.erase(all.begin(), all.begin() + 2 * together.y_strides[0]);
      EXPECT_EQ(fast(alone, last, false, level, true, serial), all);
    }
  }
}

TEST(ConvolutionNumbers, InfinityStaysWhereItsWindowsAre) {
  const Case c{1, 1, 2, 3, kNone, kNone, axis(20, 3, 1, 1, 1, 1)};
  const ConvolutionShape shape = shape_of(c, Layout::kChannelsLast, false);
  Data data = data_for(shape);
  data.x[2 * 10] = std::numeric_limits<float>::infinity();
  for (const CpuLevel level : testing::cpu_levels()) {
    SerialFor serial;
    const std::vector<float> y = fast(shape, data, false, level, true, serial);
    for (std::size_t pixel = 0; pixel < 20; ++pixel) {
      EXPECT_EQ(std::isinf(y[pixel * 3]), pixel >= 9 && pixel <= 11) << pixel;
    }
  }
}

}  // namespace
}  // namespace pliant::kernels::convolution
