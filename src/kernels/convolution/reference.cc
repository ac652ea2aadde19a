#include <algorithm>

#include "kernels/convolution/direct.h"
#include "kernels/wide_element.h"

namespace pliant::kernels::convolution {
namespace {

/// A result element's coordinates; `output` counts within `group`.
struct Position {
  std::int64_t image = 0, group = 0, output = 0, at[kSpatialAxes] = {};

  Position(const ConvolutionShape& shape, std::int64_t index) {
    for (int axis = kSpatialAxes; axis-- > 0;) {
      at[axis] = index % shape.axes[axis].output;
      index /= shape.axes[axis].output;
    }
    output = index % shape.outputs;
    index /= shape.outputs;
    group = index % shape.group;
    image = index / shape.group;
  }
};

std::int64_t dot(const std::int64_t* a, const std::int64_t* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Calls visit(tap[3], input[3], inside) for every tap above a result position, in ascending order.
/// `locate(axis, position, tap, index)` finds the input index; false means that the tap meets none.
template <class Locate, class Visit>
void for_each_tap(const ConvolutionShape& shape, const std::int64_t (&at)[kSpatialAxes],
                  Locate locate, Visit visit) {
  std::int64_t tap[kSpatialAxes];
  std::int64_t index[kSpatialAxes];
  for (tap[0] = 0; tap[0] < shape.axes[0].window; ++tap[0]) {
    const bool depth = locate(shape.axes[0], at[0], tap[0], index[0]);
    for (tap[1] = 0; tap[1] < shape.axes[1].window; ++tap[1]) {
      const bool height = locate(shape.axes[1], at[1], tap[1], index[1]);
      for (tap[2] = 0; tap[2] < shape.axes[2].window; ++tap[2]) {
        const bool width = locate(shape.axes[2], at[2], tap[2], index[2]);
        if (depth && height && width) {
          visit(tap, index);
        }
      }
    }
  }
}

bool locate_forward(const WindowAxis& axis, std::int64_t position, std::int64_t tap,
                    std::int64_t& index) {
  index = axis.first_input(position) + tap * axis.dilation;
  return axis.contains(index);
}

bool locate_transposed(const WindowAxis& axis, std::int64_t position, std::int64_t tap,
                       std::int64_t& index) {
  const std::int64_t scaled = position + axis.pad_begin - tap * axis.dilation;
  index = scaled / axis.stride;
  return scaled >= 0 && scaled % axis.stride == 0 && index < axis.input;
}

template <class X, class W, class Y, class Locate>
void run_direct(const DirectArguments<X, W, Y>& arguments, const KernelContext& context,
                Locate locate) {
  const ConvolutionShape& shape = arguments.shape;
  const std::int64_t count = shape.pixels() * shape.total_outputs();
  const std::int64_t work = std::max<std::int64_t>(1, shape.taps() * shape.channels);
  const Widened<X> x_zero = arguments.x_zero != nullptr ? widen(*arguments.x_zero) : Widened<X>{};
  context.parallel.run(count, 1 + 16384 / work, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Position position(shape, i);
      const std::int64_t output = position.group * shape.outputs + position.output;
      const X* x = arguments.x + position.image * shape.x_strides[0] +
                   position.group * shape.channels * shape.x_strides[1];
      const W* weights = arguments.weights + position.group * shape.group_stride +
                         position.output * shape.output_stride;
      const Widened<W> w_zero =
          arguments.weights_zero != nullptr
              ? widen(arguments.weights_zero[output * arguments.weights_zero_stride])
              : Widened<W>{};
      Widened<Y> sum = arguments.bias != nullptr ? widen(arguments.bias[output * shape.bias_stride])
                                                 : Widened<Y>{};
      for_each_tap(shape, position.at, locate,
                   [&](const std::int64_t* tap, const std::int64_t* index) {
                     const X* pixel = x + dot(index, shape.x_strides + 2);
                     const W* column = weights + dot(tap, shape.tap_strides);
                     for (std::int64_t c = 0; c < shape.channels; ++c) {
                       sum += (widen(pixel[c * shape.x_strides[1]]) - x_zero) *
                              (widen(column[c * shape.channel_stride]) - w_zero);
                     }
                   });
      arguments.y[position.image * shape.y_strides[0] + output * shape.y_strides[1] +
                  dot(position.at, shape.y_strides + 2)] = narrow<Y>(sum);
    }
  });
}

}  // namespace

template <class X, class W, class Y>
void convolve_direct(const DirectArguments<X, W, Y>& arguments, const KernelContext& context) {
  run_direct(arguments, context, locate_forward);
}

template <class T>
void convolve_transposed_direct(const DirectArguments<T, T, T>& arguments,
                                const KernelContext& context) {
  run_direct(arguments, context, locate_transposed);
}

#define PLIANT_DIRECT(X, W, Y) \
  template void convolve_direct(const DirectArguments<X, W, Y>&, const KernelContext&);
#define PLIANT_DIRECT_FLOAT(T) \
  PLIANT_DIRECT(T, T, T)       \
  template void convolve_transposed_direct(const DirectArguments<T, T, T>&, const KernelContext&);
PLIANT_DIRECT_FLOAT(float)
PLIANT_DIRECT_FLOAT(double)
PLIANT_DIRECT_FLOAT(Half)
PLIANT_DIRECT_FLOAT(BFloat16)
PLIANT_DIRECT(std::uint8_t, std::uint8_t, std::int32_t)
PLIANT_DIRECT(std::uint8_t, std::int8_t, std::int32_t)
PLIANT_DIRECT(std::int8_t, std::uint8_t, std::int32_t)
PLIANT_DIRECT(std::int8_t, std::int8_t, std::int32_t)
#undef PLIANT_DIRECT_FLOAT
#undef PLIANT_DIRECT

}  // namespace pliant::kernels::convolution
