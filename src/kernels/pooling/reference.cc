#include <algorithm>
#include <limits>

#include "kernels/pooling/pooling.h"
#include "kernels/wide_element.h"

// Pooling straight from the formula, for any type and strides.

namespace pliant::kernels::pooling {
namespace {

/// Integers stay what they are, so that 64 bits compare exactly.
template <class T>
auto comparable(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return to_float(value);
  } else {
    return value;
  }
}

/// Calls visit(window, y offset, coordinates) for each result; coordinates are n, c, depth, height, width.
template <class Visit>
void for_each_result(const PoolShape& shape, const KernelContext& context, Visit visit) {
  const std::int64_t pixels = shape.pixels();
  context.parallel.run(shape.batch * shape.channels * pixels,
                       1 + 16384 / (shape.most_elements() + 1),
                       [&](std::int64_t begin, std::int64_t end, int) {
                         for (std::int64_t i = begin; i < end; ++i) {
                           std::int64_t at[5];
                           std::int64_t rest = i;
                           for (int axis = 2; axis >= 0; --axis) {
                             at[2 + axis] = rest % shape.axes[axis].output;
                             rest /= shape.axes[axis].output;
                           }
                           at[1] = rest % shape.channels;
                           at[0] = rest / shape.channels;
                           visit(at);
                         }
                       });
}

/// Calls visit(input[3]) for each element of the window at result position at[2…], in ascending order.
/// A window may be as large as the input, so each of its lines asks whether to go on.
template <class Visit>
void for_each_element(const PoolShape& shape, const std::int64_t (&at)[5],
                      const ParallelFor& parallel, Visit visit) {
  const WindowAxis* axes = shape.axes;
  const TapRange depth = taps_inside(axes[0], at[2]);
  const TapRange height = taps_inside(axes[1], at[3]);
  const TapRange width = taps_inside(axes[2], at[4]);
  std::int64_t input[kSpatialAxes];
  for (std::int64_t kd = depth.first; kd < depth.last; ++kd) {
    input[0] = axes[0].first_input(at[2]) + kd * axes[0].dilation;
    for (std::int64_t kh = height.first; kh < height.last && !parallel.is_stopped(); ++kh) {
      input[1] = axes[1].first_input(at[3]) + kh * axes[1].dilation;
      for (std::int64_t kw = width.first; kw < width.last; ++kw) {
        input[2] = axes[2].first_input(at[4]) + kw * axes[2].dilation;
        visit(input);
      }
    }
  }
}

std::int64_t offset(const std::int64_t (&strides)[5], const std::int64_t (&at)[5]) {
  return at[0] * strides[0] + at[1] * strides[1] + at[2] * strides[2] + at[3] * strides[3] +
         at[4] * strides[4];
}

template <class T>
T smallest() {
  if constexpr (std::is_same_v<T, Half>) {
    return Half{0xfc00};
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return BFloat16{0xff80};
  } else if constexpr (std::numeric_limits<T>::has_infinity) {
    return -std::numeric_limits<T>::infinity();
  } else {
    return std::numeric_limits<T>::lowest();
  }
}

/// Number of an element within x as if x were row-major.
std::int64_t flat_index(const PoolArguments& arguments, const std::int64_t (&at)[5],
                        const std::int64_t* input) {
  const WindowAxis* axes = arguments.shape.axes;
  const std::int64_t plane = arguments.column_major ? input[2] * axes[1].input + input[1]
                                                    : input[1] * axes[2].input + input[2];
  const std::int64_t image = at[0] * arguments.shape.channels + at[1];
  return (image * axes[0].input + input[0]) * axes[1].input * axes[2].input + plane;
}

}  // namespace

TapRange taps_inside(const WindowAxis& axis, std::int64_t position) {
  const std::int64_t start = axis.first_input(position);
  const auto taps_before = [&](std::int64_t limit) {  // taps whose input is below the limit
    return limit <= start ? 0 : std::min((limit - start - 1) / axis.dilation + 1, axis.window);
  };
  const std::int64_t first = taps_before(0);
  return {first, std::max(first, taps_before(axis.input))};
}

std::int64_t counted_taps(const WindowAxis& axis, std::int64_t position, bool count_padding) {
  if (!count_padding) {
    const TapRange range = taps_inside(axis, position);
    return range.last - range.first;
  }
  WindowAxis padded = axis;
  padded.input += axis.pad_begin + axis.pad_end;
  padded.pad_begin = 0;
  const TapRange range = taps_inside(padded, position);
  return range.last - range.first;
}

template <class T>
void max_pool(const PoolArguments& arguments, const KernelContext& context) {
  const PoolShape& shape = arguments.shape;
  for_each_result(shape, context, [&](const std::int64_t(&at)[5]) {
    const T* x = static_cast<const T*>(arguments.x) + at[0] * shape.x_strides[0] +
                 at[1] * shape.x_strides[1];
    T best = smallest<T>();
    std::int64_t where = -1;
    for_each_element(shape, at, context.parallel, [&](const std::int64_t* input) {
      const T value = x[input[0] * shape.x_strides[2] + input[1] * shape.x_strides[3] +
                        input[2] * shape.x_strides[4]];
      const auto number = comparable(value);
      const auto largest = comparable(best);
      const bool is_nan = number != number && largest == largest;
      if (where < 0 || number > largest || is_nan) {
        best = value;
        where = flat_index(arguments, at, input);
      }
    });
    if (arguments.y != nullptr) {
      static_cast<T*>(arguments.y)[offset(shape.y_strides, at)] = best;
    }
    if (arguments.indices != nullptr) {
      arguments.indices[offset(arguments.index_strides, at)] = where;
    }
  });
}

template <class T>
void average_pool(const PoolArguments& arguments, const KernelContext& context) {
  const PoolShape& shape = arguments.shape;
  for_each_result(shape, context, [&](const std::int64_t(&at)[5]) {
    const T* x = static_cast<const T*>(arguments.x) + at[0] * shape.x_strides[0] +
                 at[1] * shape.x_strides[1];
    Widened<T> sum{};
    for_each_element(shape, at, context.parallel, [&](const std::int64_t* input) {
      sum += widen(x[input[0] * shape.x_strides[2] + input[1] * shape.x_strides[3] +
                     input[2] * shape.x_strides[4]]);
    });
    double count = 1.0;  // a window may count more padding than 64 bits hold
    for (int axis = 0; axis < kSpatialAxes; ++axis) {
      count *= static_cast<double>(
          counted_taps(shape.axes[axis], at[2 + axis], arguments.count_padding));
    }
    static_cast<T*>(arguments.y)[offset(shape.y_strides, at)] =
        narrow<T>(count == 0.0 ? Widened<T>{} : sum / static_cast<Widened<T>>(count));
  });
}

#define PLIANT_DTYPE(Name, text, Type, bytes, numpy, onnx, Class) \
  template void max_pool<Type>(const PoolArguments&, const KernelContext&);
#include <pliant/dtypes.def>
template void average_pool<float>(const PoolArguments&, const KernelContext&);
template void average_pool<double>(const PoolArguments&, const KernelContext&);
template void average_pool<Half>(const PoolArguments&, const KernelContext&);
template void average_pool<BFloat16>(const PoolArguments&, const KernelContext&);

}  // namespace pliant::kernels::pooling
