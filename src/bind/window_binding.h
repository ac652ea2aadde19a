#pragma once

#include <array>
#include <cstddef>

#include "bind/bind_context.h"
#include "isa/opcode.h"
#include "kernels/convolution/window_axis.h"
#include "semantics/window_rules.h"

namespace pliant::bind {

/// Where a row has the attributes of its sliding window.
struct WindowOperands {
  int strides, pads, dilations, auto_pad;
};
template <class Row>
inline constexpr WindowOperands kWindowOperands{Row::strides, Row::pads, Row::dilations,
                                                Row::auto_pad};

/// A whole number of a list operand, or `otherwise` when the list is left out.
[[nodiscard]] inline std::int64_t list_item(const BindContext& context, int operand,
                                            std::size_t index, std::int64_t otherwise) {
  const auto& list = context.operand(operand).list;
  return list.empty() ? otherwise : list[index].number;
}

/// Extents and written attributes of a spatial axis; both pads are 0 unless auto_pad is explicit.
[[nodiscard]] inline kernels::WindowAxis written_axis(const BindContext& context,
                                                      const WindowOperands& operands,
                                                      std::size_t axis, std::size_t spatial_rank,
                                                      std::int64_t input, std::int64_t output,
                                                      std::int64_t window) {
  kernels::WindowAxis result;
  result.input = input;
  result.output = output;
  result.window = window;
  result.stride = list_item(context, operands.strides, axis, 1);
  result.dilation = list_item(context, operands.dilations, axis, 1);
  if (context.choice<isa::AutoPad>(operands.auto_pad) == isa::AutoPad::kExplicit) {
    result.pad_begin = list_item(context, operands.pads, axis, 0);
    result.pad_end = list_item(context, operands.pads, spatial_rank + axis, 0);
  }
  return result;
}

/// Splits what an axis lacks among its ends, as auto_pad says.
inline void set_same_pads(kernels::WindowAxis& axis, isa::AutoPad auto_pad, std::int64_t total) {
  total = total > 0 ? total : 0;
  axis.pad_begin = semantics::same_pad_begin(auto_pad, total);
  axis.pad_end = total - axis.pad_begin;
}

/// The axis of a forward window (convolution, pooling), pads computed where auto_pad says so.
[[nodiscard]] inline kernels::WindowAxis forward_axis(const BindContext& context,
                                                      const WindowOperands& operands,
                                                      std::size_t axis, std::size_t spatial_rank,
                                                      std::int64_t input, std::int64_t output,
                                                      std::int64_t window) {
  kernels::WindowAxis result =
      written_axis(context, operands, axis, spatial_rank, input, output, window);
  const auto auto_pad = context.choice<isa::AutoPad>(operands.auto_pad);
  if (auto_pad == isa::AutoPad::kSameUpper || auto_pad == isa::AutoPad::kSameLower) {
    const std::int64_t span = (window - 1) * result.dilation + 1;
    set_same_pads(result, auto_pad, (output - 1) * result.stride + span - input);
  }
  return result;
}

/// Axes of [batch, channels, spatial…] in memory order with the channels of a pixel side by side.
[[nodiscard]] inline Strides channels_last_strides(const Shape& shape) {
  std::array<int, kMaxRank> order{};
  const int rank = static_cast<int>(shape.size());
  for (int i = 1; i + 1 < rank; ++i) {
    order[static_cast<std::size_t>(i)] = i + 1;
  }
  order[static_cast<std::size_t>(rank - 1)] = 1;
  return permuted_strides(shape, std::span(order).first(static_cast<std::size_t>(rank)));
}

/// Strides [n, c, depth, height, width] of a view with one to three spatial axes; 0 for missing
/// ones.
inline void spread_strides(const TensorView& view, std::int64_t (&strides)[5]) {
  const std::size_t spatial_rank = view.strides.size() - 2;
  strides[0] = view.strides[0];
  strides[1] = view.strides[1];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    strides[2 + axis] = axis < 3 - spatial_rank ? 0 : view.strides[2 + axis - (3 - spatial_rank)];
  }
}

}  // namespace pliant::bind
