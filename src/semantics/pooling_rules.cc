#include <fmt/format.h>

#include "semantics/rules.h"
#include "semantics/window_rules.h"

namespace pliant::semantics {

// Both rows begin with the same operands.
static_assert(int{isa::MaxPool::x} == int{isa::AveragePool::x} &&
              int{isa::MaxPool::window} == int{isa::AveragePool::window} &&
              int{isa::MaxPool::strides} == int{isa::AveragePool::strides} &&
              int{isa::MaxPool::pads} == int{isa::AveragePool::pads} &&
              int{isa::MaxPool::dilations} == int{isa::AveragePool::dilations} &&
              int{isa::MaxPool::ceil_mode} == int{isa::AveragePool::ceil_mode} &&
              int{isa::MaxPool::auto_pad} == int{isa::AveragePool::auto_pad});

Status infer_Pool(InferenceContext& context) {
  using Row = isa::AveragePool;
  const TensorFacts& x = context.tensor(Row::x);
  const std::vector<std::int64_t> extents = context.integers(Row::window);
  const std::size_t spatial_rank = extents.size();
  if (spatial_rank < 1 || spatial_rank > 3) {
    return context.error(fmt::format("window has {} values, expected 1 to 3", spatial_rank));
  }
  const WindowAttributes window{context.integers(Row::strides), context.integers(Row::dilations),
                                context.integers(Row::pads),
                                context.choice<isa::AutoPad>(Row::auto_pad)};
  PLIANT_RETURN_IF_ERROR(check_spatial_rank(context, x, spatial_rank));
  PLIANT_RETURN_IF_ERROR(check_window(context, window, spatial_rank));
  const bool has_indices = context.instruction().opcode == isa::Opcode::kMaxPool;
  if (!x.rank_known) {
    context.set_rank(Row::dst, spatial_rank + 2);
    if (has_indices) {
      context.set_rank(isa::MaxPool::indices, spatial_rank + 2);
    }
    return {};
  }
  ExtentShape result{x.shape[0], x.shape[1]};
  for (std::size_t axis = 0; axis < spatial_rank; ++axis) {
    const Extent extent = x.shape[axis + 2];
    const Extent stride(window.stride(axis));
    PLIANT_ASSIGN_OR_RETURN(const Extent span,
                            window_span(context, Extent(extents[axis]), window.dilation(axis)));
    if (window.auto_pad == isa::AutoPad::kSameUpper ||
        window.auto_pad == isa::AutoPad::kSameLower) {
      result.push_back(ceil_divide(extent, stride));
      continue;
    }
    const Extent begin(window.pad_begin(axis));
    const Extent room = extent + begin + Extent(window.pad_end(axis)) - span;
    // Where x is smaller than the window by less than a stride, one window is left and is clipped to
    // x: the formula rounds towards zero, as ONNX's own shape inference does.
    const Extent clipped =
        minimum(ceil_divide(room, stride) + Extent(1), minimum(Extent(1), extent));
    Extent positions = maximum(floor_divide(room, stride) + Extent(1), clipped);
    if (context.flag(Row::ceil_mode)) {
      // A window must start inside x or in the padding before it.
      positions =
          minimum(ceil_divide(room, stride) + Extent(1), ceil_divide(extent + begin, stride));
    }
    if (positions.is_number() && positions.number() < 0) {
      return context.error(fmt::format(
          "spatial axis {} of x is {} with padding {}, the window covers {}", axis,
          to_string(extent), window.pad_begin(axis) + window.pad_end(axis), to_string(span)));
    }
    result.push_back(positions);
  }
  if (has_indices) {
    PLIANT_RETURN_IF_ERROR(context.set(isa::MaxPool::indices, result));
  }
  return context.set(Row::dst, result);
}

}  // namespace pliant::semantics
