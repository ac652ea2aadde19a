#include "kernels/resize/resize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/half.h"
#include "bind/operator.h"
#include "semantics/resize_extents.h"
#include "tensor/dtype.h"

namespace pliant::bind {
namespace {

namespace resize = kernels::resize;
using Row = isa::Resize;

// The kernels' enumerators are those of the instruction table, in the same order.
template <class Kernel, class Isa>
constexpr bool same(Kernel a, Isa b) {
  return static_cast<int>(a) == static_cast<int>(b);
}
static_assert(same(resize::Mode::kLinear, isa::Interpolation::kLinear) &&
              same(resize::Mode::kCubic, isa::Interpolation::kCubic));
static_assert(same(resize::Coordinates::kHalfPixelSymmetric,
                   isa::Coordinates::kHalfPixelSymmetric) &&
              same(resize::Coordinates::kPytorchHalfPixel, isa::Coordinates::kPytorchHalfPixel) &&
              same(resize::Coordinates::kAlignCorners, isa::Coordinates::kAlignCorners) &&
              same(resize::Coordinates::kAsymmetric, isa::Coordinates::kAsymmetric) &&
              same(resize::Coordinates::kTfHalfPixelForNn, isa::Coordinates::kTfHalfPixelForNn) &&
              same(resize::Coordinates::kTfCropAndResize, isa::Coordinates::kTfCropAndResize));
static_assert(same(resize::Rounding::kPreferCeil, isa::NearestRounding::kRoundPreferCeil) &&
              same(resize::Rounding::kFloor, isa::NearestRounding::kFloor) &&
              same(resize::Rounding::kCeil, isa::NearestRounding::kCeil));

using AxisList = InlineVector<int, kMaxRank>;

/// Axes from the outermost in memory to the innermost; axes that lie equally keep their order.
AxisList memory_order(const TensorView& x) {
  AxisList order;
  for (int axis = 0; axis < x.rank(); ++axis) {
    order.push_back(axis);
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return x.strides[static_cast<std::size_t>(a)] > x.strides[static_cast<std::size_t>(b)];
  });
  return order;
}

/// Axes that sizes, scales and roi speak of.
AxisList listed_axes(const BindContext& context, int rank) {
  AxisList axes;
  if (!context.given(Row::axes)) {
    for (int axis = 0; axis < rank; ++axis) {
      axes.push_back(axis);
    }
    return axes;
  }
  for (const isa::Operand& item : context.operand(Row::axes).list) {
    axes.push_back(static_cast<int>(item.number < 0 ? item.number + rank : item.number));
  }
  return axes;
}

/// Scale of each listed axis.
InlineVector<double, kMaxRank> scales_of(const BindContext& context, const AxisList& axes) {
  InlineVector<double, kMaxRank> scales;
  if (context.given(Row::scales)) {
    for (const double scale : context.numbers(Row::scales)) {
      scales.push_back(scale);
    }
    return scales;
  }
  const TensorView& x = context.input(Row::x);
  const auto targets = context.sizes(Row::sizes);
  Shape extents;
  for (const int axis : axes) {
    extents.push_back(x.shape[static_cast<std::size_t>(axis)]);
  }
  const auto policy = context.choice<isa::AspectRatio>(Row::policy);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    scales.push_back(
        policy == isa::AspectRatio::kStretch
            ? static_cast<double>(targets[i]) / static_cast<double>(extents[i])
            : semantics::common_scale(policy, {extents.data(), extents.size()}, targets));
  }
  return scales;
}

/// The bytes of the row's extrapolation value as an element of x.
std::uint64_t extrapolation_bytes(DType dtype, double value) {
  return visit_dtype(dtype, [&](auto zero) {
    using T = decltype(zero);
    std::uint64_t bytes = 0;
    const auto keep = [&](auto element) {
      std::memcpy(&bytes, static_cast<const void*>(&element), sizeof element);
    };
    if constexpr (std::is_same_v<T, Half>) {
      keep(to_half(static_cast<float>(value)));
    } else if constexpr (std::is_same_v<T, BFloat16>) {
      keep(to_bfloat16(static_cast<float>(value)));
    } else if constexpr (std::is_integral_v<T>) {
      // Powers of two on both sides, so that the comparison is exact for 64 bits too.
      const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
      const double lowest = static_cast<double>(std::numeric_limits<T>::lowest());
      keep(!(value < end) ? std::numeric_limits<T>::max()
                          : static_cast<T>(value > lowest ? value : lowest));
    } else {
      keep(static_cast<T>(value));
    }
    return bytes;
  });
}

resize::ResizeArguments arguments_of(const BindContext& context) {
  const TensorView& x = context.input(Row::x);
  const TensorView& y = context.output(Row::dst);
  const AxisList order = memory_order(x);
  const AxisList axes = listed_axes(context, x.rank());
  const auto scales = scales_of(context, axes);
  const auto roi = context.numbers(Row::roi);
  resize::ResizeArguments arguments;
  arguments.mode = static_cast<resize::Mode>(context.integer(Row::mode));
  arguments.coordinates = static_cast<resize::Coordinates>(context.integer(Row::coordinates));
  arguments.rounding = static_cast<resize::Rounding>(context.integer(Row::rounding));
  arguments.antialias = context.flag(Row::antialias);
  arguments.exclude_outside = context.flag(Row::exclude_outside);
  arguments.cubic_coefficient = context.real(Row::cubic_coefficient);
  arguments.extrapolation = extrapolation_bytes(x.dtype, context.real(Row::extrapolation));
  arguments.rank = std::max(x.rank(), 1);  // a 0-d tensor is one element along one axis
  for (std::size_t i = 0; i < order.size(); ++i) {
    resize::ResizeAxis& to = arguments.axes[i];
    const auto axis = static_cast<std::size_t>(order[i]);
    to.position = order[i];
    to.input = x.shape[axis];
    to.output = y.shape[axis];
    const auto* listed = std::find(axes.begin(), axes.end(), order[i]);
    if (listed == axes.end()) {
      continue;
    }
    const auto which = static_cast<std::size_t>(listed - axes.begin());
    to.scale = scales[which];
    if (arguments.coordinates == resize::Coordinates::kTfCropAndResize) {
      to.roi_begin = roi[which];
      to.roi_end = roi[axes.size() + which];
    }
    const bool whole = to.roi_begin == 0.0 && to.roi_end == 1.0;
    to.active = !(to.input == to.output && std::fabs(to.scale - 1.0) < 1e-9 && whole);
  }
  arguments.x = x.data;
  arguments.y = y.data;
  return arguments;
}

bool has_work(const BindContext& context) {
  return context.wanted(Row::dst) && context.output(Row::dst).element_count() > 0;
}

/// The result lies in memory as x does.
void layout_resize(BindContext& context) {
  if (!has_work(context)) {
    return;
  }
  const TensorView& x = context.input(Row::x);
  if (is_dense(x.shape, x.strides)) {
    const AxisList order = memory_order(x);
    context.set_strides(
        Row::dst, permuted_strides(context.output(Row::dst).shape, {order.data(), order.size()}));
  } else {
    context.require_contiguous(Row::x);
  }
  // The order of axes does not change how much scratch memory there is, extents do.
  visit_dtype(x.dtype, [&](auto zero) {
    context.set_scratch_bytes(resize::scratch_bytes<decltype(zero)>(arguments_of(context)));
  });
}

void bind_resize(BindContext& context) {
  if (!has_work(context)) {
    return;
  }
  const resize::ResizeArguments arguments = arguments_of(context);
  visit_dtype(context.input(Row::x).dtype,
              [&](auto zero) { context.call.set(resize::resize<decltype(zero)>, arguments); });
}

}  // namespace

const Operator kResize{.layout = layout_resize, .bind = bind_resize};

}  // namespace pliant::bind
