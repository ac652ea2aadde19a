#include <algorithm>

#include "bind/axis_position.h"
#include "bind/operator.h"
#include "bind/reshape_strides.h"
#include "semantics/slice_bounds.h"

// View rows: results are other shapes and strides over the memory of x. In all of them result 0 is
// the first operand and x the second.

namespace pliant::bind {
namespace {

constexpr int kResult = isa::Reshape::dst;
constexpr int kX = isa::Reshape::x;
static_assert(int{isa::Flatten::x} == kX && int{isa::Squeeze::x} == kX &&
              int{isa::Unsqueeze::x} == kX);

ViewOutcome view_reshape(BindContext& context) {
  const TensorView& x = context.input(kX);
  const auto strides = reshape_strides(x.shape, x.strides, context.output(kResult).shape);
  if (!strides) {
    return ViewOutcome::kNeedsContiguousInput;
  }
  context.set_view(kResult, *strides, 0);
  return ViewOutcome::kView;
}

ViewOutcome view_transpose(BindContext& context) {
  const TensorView& x = context.input(isa::Transpose::x);
  const std::vector<std::int64_t> perm = context.integers(isa::Transpose::perm);
  const std::size_t rank = x.shape.size();
  Strides strides;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t axis =
        context.given(isa::Transpose::perm) ? axis_position(perm[i], rank) : rank - 1 - i;
    strides.push_back(x.strides[axis]);
  }
  context.set_view(isa::Transpose::dst, strides, 0);
  return ViewOutcome::kView;
}

ViewOutcome view_broadcast_to(BindContext& context) {
  const TensorView& x = context.input(isa::BroadcastTo::x);
  const Shape& shape = context.output(isa::BroadcastTo::dst).shape;
  const std::size_t added = shape.size() - x.shape.size();
  Strides strides(shape.size(), 0);
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    strides[added + i] = x.shape[i] == shape[added + i] ? x.strides[i] : 0;
  }
  context.set_view(isa::BroadcastTo::dst, strides, 0);
  return ViewOutcome::kView;
}

ViewOutcome view_slice(BindContext& context) {
  const TensorView& x = context.input(isa::Slice::x);
  const auto starts = context.sizes(isa::Slice::starts);
  const auto ends = context.sizes(isa::Slice::ends);
  const auto axes = context.sizes(isa::Slice::axes);
  const auto steps = context.sizes(isa::Slice::steps);
  Strides strides = x.strides;
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t axis =
        context.given(isa::Slice::axes) ? axis_position(axes[i], x.shape.size()) : i;
    const std::int64_t step = context.given(isa::Slice::steps) ? steps[i] : 1;
    const semantics::SliceBounds bounds =
        semantics::slice_bounds(x.shape[axis], starts[i], ends[i], step);
    // The stride of a single element does not matter, and a huge step could overflow.
    if (bounds.count > 1) {
      strides[axis] *= step;
    }
    if (bounds.count > 0) {
      offset += bounds.start * x.strides[axis];
    }
  }
  const bool is_empty = context.output(isa::Slice::dst).element_count() == 0;
  context.set_view(isa::Slice::dst, strides, is_empty ? 0 : offset);
  return ViewOutcome::kView;
}

ViewOutcome view_split(BindContext& context) {
  const TensorView& x = context.input(isa::Split::x);
  const std::size_t axis = axis_position(context.integer(isa::Split::axis), x.shape.size());
  std::int64_t first = 0;
  for (int part = 0; part < static_cast<int>(context.operand(isa::Split::parts).list.size());
       ++part) {
    const TensorView& result = context.output(isa::Split::parts, part);
    const bool is_empty = result.element_count() == 0;
    context.set_view(isa::Split::parts, x.strides, is_empty ? 0 : first * x.strides[axis], part);
    first += result.shape[axis];
  }
  return ViewOutcome::kView;
}

}  // namespace

const Operator kReshape{.view = view_reshape};
const Operator kTranspose{.view = view_transpose};
const Operator kBroadcastTo{.view = view_broadcast_to};
const Operator kSlice{.view = view_slice};
const Operator kSplit{.view = view_split};

}  // namespace pliant::bind
