#include "kernels/resize/resize.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/half.h"
#include "kernels/resize/blend.h"
#include "kernels/resize/taps.h"
#include "kernels/scratch_plan.h"

namespace pliant::kernels::resize {
namespace {

constexpr std::int64_t kElementsPerPiece = 16384;

/// What sums of T are kept in.
template <class T>
using Sum = std::conditional_t<std::is_same_v<T, float> || std::is_same_v<T, Half> ||
                                   std::is_same_v<T, BFloat16>,
                               float, double>;

template <class T>
Sum<T> widened(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return to_float(value);
  } else {
    return static_cast<Sum<T>>(value);
  }
}

template <class T>
T narrowed(Sum<T> value) {
  if constexpr (std::is_same_v<T, Half>) {
    return to_half(value);
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return to_bfloat16(value);
  } else if constexpr (std::is_integral_v<T>) {
    // The largest 64-bit integers are not f64 numbers, so the upper bound is compared exclusively.
    const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
    const double lowest = static_cast<double>(std::numeric_limits<T>::lowest());
    return value >= end     ? std::numeric_limits<T>::max()
           : value > lowest ? static_cast<T>(value)
                            : std::numeric_limits<T>::lowest();
  } else {
    return static_cast<T>(value);
  }
}

/// Order in which axes are resized: those that shrink most first; among equals the last of the shape.
struct AxisOrder {
  int axes[kMaxRank];
  int count = 0;

  explicit AxisOrder(const ResizeArguments& arguments) {
    for (int axis = arguments.rank; axis-- > 0;) {
      if (arguments.axes[axis].active) {
        axes[count++] = axis;
      }
    }
    const auto ratio = [&](int axis) {
      return static_cast<double>(arguments.axes[axis].output) /
             static_cast<double>(arguments.axes[axis].input);
    };
    const auto comes_first = [&](int a, int b) {
      return ratio(a) != ratio(b) ? ratio(a) < ratio(b)
                                  : arguments.axes[a].position > arguments.axes[b].position;
    };
    for (int i = 1; i < count; ++i) {
      for (int j = i; j > 0 && comes_first(axes[j], axes[j - 1]); --j) {
        std::swap(axes[j], axes[j - 1]);
      }
    }
  }
};

/// Extents while axes are resized one by one.
struct Extents {
  std::int64_t of[kMaxRank];
  int rank;

  explicit Extents(const ResizeArguments& arguments) : rank(arguments.rank) {
    for (int axis = 0; axis < rank; ++axis) {
      of[axis] = arguments.axes[axis].input;
    }
  }
  [[nodiscard]] std::int64_t product(int begin, int end) const {
    std::int64_t result = 1;
    for (int axis = begin; axis < end; ++axis) {
      result *= of[axis];
    }
    return result;
  }
  [[nodiscard]] std::int64_t count() const { return product(0, rank); }
};

/// True when no result needs more than one element of x.
bool copies_elements(const ResizeArguments& arguments) {
  return arguments.mode == Mode::kNearest || AxisOrder(arguments).count == 0;
}

/// Memory of one call: a table of taps per pass and what lies between passes.
template <class T>
struct Scratch {
  std::int64_t* indices =
      nullptr;  // of the axis in turn, or of all axes one after the other (nearest)
  double* exact_weights = nullptr;
  Sum<T>* weights = nullptr;
  Sum<T>* source = nullptr;  // x as sums, unless T is the type of sums
  Sum<T>* between[2] = {};   // results of passes but the last
  Sum<T>* result = nullptr;  // of the last pass, unless T is the type of sums
  std::size_t bytes = 0;

  Scratch(std::byte* base, const ResizeArguments& arguments) {
    ScratchPlan plan(base);
    std::int64_t all_outputs = 0;
    std::int64_t largest_table = 0;
    for (int axis = 0; axis < arguments.rank; ++axis) {
      const ResizeAxis& extents = arguments.axes[axis];
      all_outputs += extents.output;
      if (extents.active) {
        largest_table = std::max(largest_table, extents.output * tap_count(arguments, extents));
      }
    }
    if (copies_elements(arguments)) {
      indices = plan.take<std::int64_t>(all_outputs);
      bytes = plan.used();
      return;
    }
    indices = plan.take<std::int64_t>(largest_table);
    exact_weights = plan.take<double>(largest_table);
    weights = plan.take<Sum<T>>(largest_table);
    Extents extents(arguments);
    const std::int64_t inputs = extents.count();
    std::int64_t largest = 0;
    const AxisOrder order(arguments);
    for (int i = 0; i < order.count; ++i) {
      extents.of[order.axes[i]] = arguments.axes[order.axes[i]].output;
      largest = i + 1 < order.count ? std::max(largest, extents.count()) : largest;
    }
    constexpr bool kDirect = std::is_same_v<T, Sum<T>>;
    source = plan.take<Sum<T>>(kDirect ? 0 : inputs);
    between[0] = plan.take<Sum<T>>(largest);
    between[1] = plan.take<Sum<T>>(largest);
    result = plan.take<Sum<T>>(kDirect ? 0 : extents.count());
    bytes = plan.used();
  }
};

/// One pass: [outer, input, inner] becomes [outer, output, inner].
template <class Number>
struct Pass {
  const Number* x;
  Number* y;
  std::int64_t outer, input, output, inner, taps;
  const std::int64_t* indices;  // [taps, output]
  const Number* weights;        // [taps, output]
};

void blend_row(const Pass<float>& pass, const float* x, std::int64_t j, float* y, CpuLevel level) {
  blend_kernels(level).rows({.x = x,
                             .row_stride = pass.inner,
                             .indices = pass.indices + j,
                             .weights = pass.weights + j,
                             .table_stride = pass.output,
                             .taps = pass.taps,
                             .count = pass.inner,
                             .y = y});
}

void blend_within_row(const Pass<float>& pass, const float* x, float* y, CpuLevel level) {
  blend_kernels(level).within_row({.x = x,
                                   .row_stride = 0,
                                   .indices = pass.indices,
                                   .weights = pass.weights,
                                   .table_stride = pass.output,
                                   .taps = pass.taps,
                                   .count = pass.output,
                                   .y = y});
}

void blend_row(const Pass<double>& pass, const double* x, std::int64_t j, double* y, CpuLevel) {
  for (std::int64_t i = 0; i < pass.inner; ++i) {
    double sum = 0.0;
    for (std::int64_t tap = 0; tap < pass.taps; ++tap) {
      const std::int64_t at = tap * pass.output + j;
      sum += pass.weights[at] * x[pass.indices[at] * pass.inner + i];
    }
    y[i] = sum;
  }
}

void blend_within_row(const Pass<double>& pass, const double* x, double* y, CpuLevel level) {
  for (std::int64_t j = 0; j < pass.output; ++j) {
    blend_row(pass, x, j, y + j, level);
  }
}

template <class Number>
void run_pass(const Pass<Number>& pass, const KernelContext& context) {
  const std::int64_t work_per_element = pass.taps + 1;
  if (pass.inner == 1) {
    context.parallel.run(pass.outer, 1 + kElementsPerPiece / (pass.output * work_per_element),
                         [&](std::int64_t begin, std::int64_t end, int) {
                           for (std::int64_t o = begin; o < end; ++o) {
                             blend_within_row(pass, pass.x + o * pass.input,
                                              pass.y + o * pass.output, context.level);
                           }
                         });
    return;
  }
  context.parallel.run(pass.outer * pass.output,
                       1 + kElementsPerPiece / (pass.inner * work_per_element),
                       [&](std::int64_t begin, std::int64_t end, int) {
                         for (std::int64_t i = begin; i < end; ++i) {
                           blend_row(pass, pass.x + i / pass.output * pass.input * pass.inner,
                                     i % pass.output, pass.y + i * pass.inner, context.level);
                         }
                       });
}

template <class From, class To, class Convert>
void convert_all(const From* from, To* to, std::int64_t count, const KernelContext& context,
                 Convert convert) {
  context.parallel.run(count, kElementsPerPiece, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      to[i] = convert(from[i]);
    }
  });
}

template <class T>
void interpolate(const ResizeArguments& arguments, const KernelContext& context) {
  constexpr bool kDirect = std::is_same_v<T, Sum<T>>;
  const Scratch<T> scratch(context.scratch, arguments);
  const AxisOrder order(arguments);
  Extents extents(arguments);
  const Sum<T>* x = scratch.source;
  Sum<T>* last = scratch.result;
  if constexpr (kDirect) {
    x = static_cast<const T*>(arguments.x);
    last = static_cast<T*>(arguments.y);
  } else {
    convert_all(static_cast<const T*>(arguments.x), scratch.source, extents.count(), context,
                widened<T>);
  }
  for (int i = 0; i < order.count; ++i) {
    const ResizeAxis& axis = arguments.axes[order.axes[i]];
    const std::int64_t taps = tap_count(arguments, axis);
    for (std::int64_t j = 0; j < axis.output; ++j) {
      fill_taps(arguments, axis, j, axis.output, scratch.indices + j, scratch.exact_weights + j);
    }
    for (std::int64_t j = 0; j < axis.output * taps; ++j) {
      scratch.weights[j] = static_cast<Sum<T>>(scratch.exact_weights[j]);
    }
    Sum<T>* y = i + 1 == order.count ? last : scratch.between[i % 2];
    run_pass(Pass<Sum<T>>{x, y, extents.product(0, order.axes[i]), axis.input, axis.output,
                          extents.product(order.axes[i] + 1, extents.rank), taps, scratch.indices,
                          scratch.weights},
             context);
    extents.of[order.axes[i]] = axis.output;
    x = y;
  }
  if constexpr (!kDirect) {
    convert_all(x, static_cast<T*>(arguments.y), extents.count(), context, narrowed<T>);
  }
}

/// Copies elements: rows run over the last axis that is resized and all that lie behind it.
template <class T>
void copy_nearest(const ResizeArguments& arguments, const KernelContext& context) {
  const Scratch<T> scratch(context.scratch, arguments);
  const std::int64_t* tables[kMaxRank];
  std::int64_t* next = scratch.indices;
  int row_axis = 0;
  for (int axis = 0; axis < arguments.rank; ++axis) {
    const ResizeAxis& extents = arguments.axes[axis];
    tables[axis] = next;
    for (std::int64_t j = 0; j < extents.output; ++j) {
      *next++ = extents.active ? nearest_index(arguments, extents, j) : j;
    }
    row_axis = extents.active ? axis : row_axis;
  }
  std::int64_t run = 1;  // elements that stay together
  for (int axis = row_axis + 1; axis < arguments.rank; ++axis) {
    run *= arguments.axes[axis].output;
  }
  std::int64_t rows = 1;
  for (int axis = 0; axis < row_axis; ++axis) {
    rows *= arguments.axes[axis].output;
  }
  const std::int64_t length = arguments.axes[row_axis].output;
  const std::int64_t* table = tables[row_axis];
  context.parallel.run(
      rows, 1 + kElementsPerPiece / (length * run), [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t row = begin; row < end; ++row) {
          std::int64_t source_row = 0;
          std::int64_t rest = row;
          std::int64_t stride = 1;
          for (int axis = row_axis; axis-- > 0;) {
            source_row += tables[axis][rest % arguments.axes[axis].output] * stride;
            stride *= arguments.axes[axis].input;
            rest /= arguments.axes[axis].output;
          }
          const T* x = static_cast<const T*>(arguments.x) +
                       source_row * arguments.axes[row_axis].input * run;
          T* y = static_cast<T*>(arguments.y) + row * length * run;
          if (run == 1) {
            for (std::int64_t j = 0; j < length; ++j) {
              y[j] = x[table[j]];
            }
            continue;
          }
          for (std::int64_t j = 0; j < length; ++j) {
            std::memcpy(y + j * run, x + table[j] * run, static_cast<std::size_t>(run) * sizeof(T));
          }
        }
      });
}

/// Overwrites results that look outside x.
template <class T>
void fill_outside(const ResizeArguments& arguments) {
  T value;
  std::memcpy(static_cast<void*>(&value), &arguments.extrapolation, sizeof value);
  std::int64_t inner = 1;
  std::int64_t outer = 1;
  for (int axis = 0; axis < arguments.rank; ++axis) {
    outer *= arguments.axes[axis].output;
  }
  for (int axis = arguments.rank; axis-- > 0;) {
    const ResizeAxis& extents = arguments.axes[axis];
    outer /= extents.output;
    for (std::int64_t j = 0; extents.active && j < extents.output; ++j) {
      for (std::int64_t o = 0; is_outside(arguments, extents, j) && o < outer; ++o) {
        std::fill_n(static_cast<T*>(arguments.y) + (o * extents.output + j) * inner, inner, value);
      }
    }
    inner *= extents.output;
  }
}

}  // namespace

template <class T>
std::size_t scratch_bytes(const ResizeArguments& arguments) {
  return Scratch<T>(nullptr, arguments).bytes;
}

template <class T>
void resize(const ResizeArguments& arguments, const KernelContext& context) {
  (copies_elements(arguments) ? copy_nearest<T> : interpolate<T>)(arguments, context);
  if (arguments.coordinates == Coordinates::kTfCropAndResize) {
    fill_outside<T>(arguments);
  }
}

#define PLIANT_DTYPE(Name, text, Type, bytes, numpy, onnx, Class)           \
  template void resize<Type>(const ResizeArguments&, const KernelContext&); \
  template std::size_t scratch_bytes<Type>(const ResizeArguments&);
#include <pliant/dtypes.def>

}  // namespace pliant::kernels::resize
