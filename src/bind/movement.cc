#include <algorithm>
#include <span>

#include "bind/axis_position.h"
#include "bind/memory_order.h"
#include "bind/operator.h"
#include "kernels/movement/concat.h"
#include "kernels/movement/pad.h"
#include "kernels/movement/tile.h"
#include "kernels/movement/triangular.h"

// CONCAT, PAD, TILE and TRIANGULAR.

namespace pliant::bind {
namespace {

std::int64_t element_size(const TensorView& view) {
  return static_cast<std::int64_t>(byte_size(view.dtype));
}

/// The memory order that all parts have in common, so that channels-last images stay so.
std::optional<AxisOrder> common_order(std::span<const BindContext::Input> parts) {
  std::optional<AxisOrder> order;
  for (const BindContext::Input& part : parts) {
    if (part.view.element_count() == 0) {
      continue;
    }
    if (!order) {
      order = memory_order(part.view);
    }
    if (!order || !follows(part.view, *order)) {
      return std::nullopt;
    }
  }
  return order;
}

void layout_concat(BindContext& context) {
  using Row = isa::Concat;
  const auto parts = context.inputs(Row::parts);
  if (parts.size() > kernels::ConcatFewArguments::kMaxParts) {
    context.require_contiguous(Row::parts);
  } else if (const auto order = common_order(parts)) {
    context.set_strides(Row::dst, permuted_strides(context.output(Row::dst).shape,
                                                   std::span(order->data(), order->size())));
  }
}

template <class Arguments>
Arguments concat_arguments(const BindContext& context) {
  using Row = isa::Concat;
  const TensorView& target = context.output(Row::dst);
  Arguments arguments;
  arguments.target = target.data;
  arguments.shape = target.shape;
  arguments.target_strides = target.strides;
  arguments.axis = axis_position(context.integer(Row::axis), target.shape.size());
  arguments.element_size = element_size(target);
  return arguments;
}

void bind_concat(BindContext& context) {
  using Row = isa::Concat;
  const auto parts = context.inputs(Row::parts);
  if (context.output(Row::dst).element_count() == 0) {
    return;
  }
  if (parts.size() > kernels::ConcatFewArguments::kMaxParts) {
    auto arguments = concat_arguments<kernels::ConcatManyArguments>(context);
    for (const BindContext::Input& part : parts) {
      arguments.parts[arguments.count++] = {part.view.data, part.view.shape[arguments.axis]};
    }
    context.call.set(kernels::concat_many, arguments);
    return;
  }
  auto arguments = concat_arguments<kernels::ConcatFewArguments>(context);
  for (const BindContext::Input& part : parts) {
    arguments.parts[arguments.count++] = {part.view.data, part.view.shape[arguments.axis],
                                          part.view.strides};
  }
  context.call.set(kernels::concat_few, arguments);
}

void layout_pad(BindContext& context) {
  using Row = isa::Pad;
  if (const auto order = memory_order(context.input(Row::x))) {
    context.set_strides(Row::dst, permuted_strides(context.output(Row::dst).shape,
                                                   std::span(order->data(), order->size())));
  }
}

kernels::BorderRule border_rule(isa::PadMode mode) {
  static_assert(static_cast<int>(isa::PadMode::kConstant) ==
                static_cast<int>(kernels::BorderRule::kConstant));
  static_assert(static_cast<int>(isa::PadMode::kReflect) ==
                static_cast<int>(kernels::BorderRule::kReflect));
  static_assert(static_cast<int>(isa::PadMode::kEdge) ==
                static_cast<int>(kernels::BorderRule::kEdge));
  static_assert(static_cast<int>(isa::PadMode::kWrap) ==
                static_cast<int>(kernels::BorderRule::kWrap));
  return static_cast<kernels::BorderRule>(mode);
}

/// What each axis of x contributes, in the order of x.
std::array<kernels::PaddedAxis, kMaxRank> padded_axes(const BindContext& context) {
  using Row = isa::Pad;
  const Shape& shape = context.input(Row::x).shape;
  const auto pads = context.sizes(Row::pads);
  const auto axes = context.sizes(Row::axes);
  std::array<kernels::PaddedAxis, kMaxRank> result{};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    result[i].count = shape[i];
  }
  const std::size_t count = pads.size() / 2;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = context.given(Row::axes) ? axis_position(axes[i], shape.size()) : i;
    const std::int64_t before = pads[i];
    const std::int64_t after = pads[i + count];
    result[axis].before = std::max<std::int64_t>(before, 0);
    result[axis].first = std::max<std::int64_t>(-before, 0);
    result[axis].count = shape[axis] - result[axis].first - std::max<std::int64_t>(-after, 0);
  }
  return result;
}

void bind_pad(BindContext& context) {
  using Row = isa::Pad;
  const TensorView& x = context.input(Row::x);
  const TensorView& target = context.output(Row::dst);
  if (target.element_count() == 0) {
    return;
  }
  kernels::PadArguments arguments;
  arguments.x = x.data;
  arguments.value = context.given(Row::value) ? context.input(Row::value).data : nullptr;
  arguments.target = target.data;
  arguments.rule = border_rule(context.choice<isa::PadMode>(Row::mode));
  arguments.element_size = element_size(target);
  const auto axes = padded_axes(context);
  const AxisOrder order = memory_order(target).value();
  for (const int axis : order) {
    const auto i = static_cast<std::size_t>(axis);
    arguments.axes[arguments.shape.size()] = axes[i];
    arguments.shape.push_back(target.shape[i]);
    arguments.x_strides.push_back(x.strides[i]);
  }
  if (arguments.shape.empty()) {
    arguments.axes[0].count = 1;
    arguments.shape.push_back(1);
    arguments.x_strides.push_back(1);
  }
  context.call.set(kernels::pad, arguments);
}

void bind_tile(BindContext& context) {
  using Row = isa::Tile;
  const TensorView& x = context.input(Row::x);
  const TensorView& target = context.output(Row::dst);
  if (target.element_count() == 0) {
    return;
  }
  const auto repeats = context.sizes(Row::repeats);
  kernels::TileArguments arguments;
  arguments.x = x.data;
  arguments.target = target.data;
  arguments.element_size = element_size(target);
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    // An axis that is not repeated continues the one before it when memory does.
    if (!arguments.shape.empty() && repeats[i] == 1 &&
        arguments.x_strides.back() == x.strides[i] * x.shape[i]) {
      arguments.shape.back() *= x.shape[i];
      arguments.x_strides.back() = x.strides[i];
    } else {
      arguments.shape.push_back(x.shape[i]);
      arguments.x_strides.push_back(x.strides[i]);
      arguments.repeats.push_back(repeats[i]);
    }
  }
  if (arguments.shape.empty()) {
    arguments.shape.push_back(1);
    arguments.x_strides.push_back(1);
    arguments.repeats.push_back(1);
  }
  context.call.set(kernels::tile, arguments);
}

void bind_triangular(BindContext& context) {
  using Row = isa::Triangular;
  const TensorView& x = context.input(Row::x);
  const TensorView& target = context.output(Row::dst);
  if (target.element_count() == 0) {
    return;
  }
  const std::int64_t rows = x.shape[x.shape.size() - 2];
  const std::int64_t diagonal = std::clamp(context.size(Row::diagonal), -rows, x.shape.back());
  const bool is_upper = context.choice<isa::Triangle>(Row::keep) == isa::Triangle::kUpper;
  context.call.set(
      kernels::triangular,
      {x.data, target.data, x.shape, x.strides, diagonal,
       is_upper ? kernels::KeptSide::kUpper : kernels::KeptSide::kLower, element_size(target)});
}

}  // namespace

const Operator kConcat{.layout = layout_concat, .bind = bind_concat};
const Operator kPad{.layout = layout_pad, .bind = bind_pad};
const Operator kTile{.bind = bind_tile};
const Operator kTriangular{.bind = bind_triangular};

}  // namespace pliant::bind
