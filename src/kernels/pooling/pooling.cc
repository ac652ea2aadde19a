#include "kernels/pooling/pooling.h"

#include <algorithm>

#include "kernels/pooling/rows.h"

// A row of results shares its taps: with channels-last images the channels of one pixel; otherwise the
// pixels of one row of a channel whose windows lie wholly within the width. The few at the borders are
// rows of one.

namespace pliant::kernels::pooling {
namespace {

constexpr std::int64_t kMostTaps =
    256;  ///< of a window in one go; larger windows take the plain path

using RowKernel = void (*)(const RowArguments&);

/// The window of one result row: which taps, how many elements it counts.
struct Window {
  TapRange depth, height;
  double counted = 0.0;  // along depth and height; may exceed 64 bits

  Window(const PoolArguments& arguments, std::int64_t od, std::int64_t oh) {
    const WindowAxis* axes = arguments.shape.axes;
    depth = taps_inside(axes[0], od);
    height = taps_inside(axes[1], oh);
    counted = static_cast<double>(counted_taps(axes[0], od, arguments.count_padding)) *
              static_cast<double>(counted_taps(axes[1], oh, arguments.count_padding));
  }
};

class RowPooler {
 public:
  RowPooler(const PoolArguments& arguments, RowKernel kernel)
      : arguments_(arguments), kernel_(kernel) {}

  /// All results of row (image, channel, od, oh): with channels-last, of all channels.
  void pool_row(std::int64_t image, std::int64_t channel, std::int64_t od, std::int64_t oh) const {
    const PoolShape& shape = arguments_.shape;
    const WindowAxis& width = shape.axes[2];
    const Window window(arguments_, od, oh);
    const float* x = static_cast<const float*>(arguments_.x) + image * shape.x_strides[0] +
                     channel * shape.x_strides[1];
    float* y = static_cast<float*>(arguments_.y) + image * shape.y_strides[0] +
               channel * shape.y_strides[1] + od * shape.y_strides[2] + oh * shape.y_strides[3];
    const bool channels_last = is_channels_last(shape);
    // Positions [inner, end) see the whole width of their windows.
    const std::int64_t span = (width.window - 1) * width.dilation + 1;
    const std::int64_t inner =
        std::min((width.pad_begin + width.stride - 1) / width.stride, width.output);
    const std::int64_t room = width.input + width.pad_begin - span;
    const std::int64_t end =
        std::clamp(room < 0 ? 0 : room / width.stride + 1, inner, width.output);
    const auto pool = [&](std::int64_t ow, std::int64_t count) {
      pool_span(window, x, od, oh, ow, count, channels_last ? 1 : width.stride,
                y + ow * shape.y_strides[4]);
    };
    if (channels_last) {
      for (std::int64_t ow = 0; ow < width.output; ++ow) {
        pool(ow, shape.channels);
      }
      return;
    }
    for (std::int64_t ow = 0; ow < inner; ++ow) {
      pool(ow, 1);
    }
    if (end > inner) {
      pool(inner, end - inner);
    }
    for (std::int64_t ow = end; ow < width.output; ++ow) {
      pool(ow, 1);
    }
  }

  static bool is_channels_last(const PoolShape& shape) {
    return shape.x_strides[1] == 1 && shape.y_strides[1] == 1;
  }

 private:
  /// `count` neighbours that have the taps of position `ow` along the width.
  void pool_span(const Window& window, const float* x, std::int64_t od, std::int64_t oh,
                 std::int64_t ow, std::int64_t count, std::int64_t step, float* y) const {
    const PoolShape& shape = arguments_.shape;
    const WindowAxis* axes = shape.axes;
    const TapRange taps = taps_inside(axes[2], ow);
    const float* pointers[kMostTaps];
    std::int64_t found = 0;
    for (std::int64_t kd = window.depth.first; kd < window.depth.last; ++kd) {
      const std::int64_t id = axes[0].first_input(od) + kd * axes[0].dilation;
      for (std::int64_t kh = window.height.first; kh < window.height.last; ++kh) {
        const std::int64_t ih = axes[1].first_input(oh) + kh * axes[1].dilation;
        for (std::int64_t kw = taps.first; kw < taps.last; ++kw) {
          const std::int64_t iw = axes[2].first_input(ow) + kw * axes[2].dilation;
          pointers[found++] =
              x + id * shape.x_strides[2] + ih * shape.x_strides[3] + iw * shape.x_strides[4];
        }
      }
    }
    const double counted =
        window.counted * static_cast<double>(counted_taps(axes[2], ow, arguments_.count_padding));
    kernel_({.taps = pointers,
             .tap_count = found,
             .count = count,
             .step = step,
             .y = y,
             .divisor = static_cast<float>(std::max(counted, 1.0))});
  }

  const PoolArguments& arguments_;
  RowKernel kernel_;
};

/// True when the row kernels can do it: neighbours along channels or along width in x and y.
bool has_rows(const PoolShape& shape) {
  const bool along_width = shape.x_strides[4] == 1 && shape.y_strides[4] == 1;
  return shape.most_elements() <= kMostTaps && (RowPooler::is_channels_last(shape) || along_width);
}

void pool_rows(const PoolArguments& arguments, const KernelContext& context, RowKernel kernel) {
  const PoolShape& shape = arguments.shape;
  const RowPooler pooler(arguments, kernel);
  const bool channels_last = RowPooler::is_channels_last(shape);
  const std::int64_t channels = channels_last ? 1 : shape.channels;
  const std::int64_t height = shape.axes[1].output;
  const std::int64_t depth = shape.axes[0].output;
  const std::int64_t work =
      shape.most_elements() * shape.axes[2].output * (channels_last ? shape.channels : 1);
  context.parallel.run(shape.batch * channels * depth * height, 1 + 65536 / (work + 1),
                       [&](std::int64_t begin, std::int64_t end, int) {
                         for (std::int64_t i = begin; i < end; ++i) {
                           const std::int64_t rest = i / height / depth;
                           pooler.pool_row(rest / channels, rest % channels, i / height % depth,
                                           i % height);
                         }
                       });
}

}  // namespace

void max_pool_f32(const PoolArguments& arguments, const KernelContext& context) {
  if (has_rows(arguments.shape)) {
    pool_rows(arguments, context, row_kernels(context.level).maximum);
  } else {
    max_pool<float>(arguments, context);
  }
}

void average_pool_f32(const PoolArguments& arguments, const KernelContext& context) {
  if (has_rows(arguments.shape)) {
    pool_rows(arguments, context, row_kernels(context.level).mean);
  } else {
    average_pool<float>(arguments, context);
  }
}

}  // namespace pliant::kernels::pooling
