#include "kernels/creation/creation.h"

#include <algorithm>

#include "bind/axis_position.h"
#include "bind/operator.h"

// SHAPE_OF, RANK_OF, COUNT_OF, FILL, RANGE and ONE_HOT.

namespace pliant::bind {
namespace {

void store(BindContext& context, const Shape& numbers) {
  // The result is the first operand of all three rows.
  context.call.set(kernels::store_numbers,
                   {context.output(isa::ShapeOf::dst).as<std::int64_t>(), numbers});
}

void bind_shape_of(BindContext& context) {
  using Row = isa::ShapeOf;
  const Shape& shape = context.input(Row::x).shape;
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t given = context.integer(Row::start);
  const std::int64_t start = std::clamp<std::int64_t>(given < 0 ? given + rank : given, 0, rank);
  const std::int64_t count = context.output(Row::dst).shape[0];
  if (count > 0) {
    store(context, Shape(std::span(shape.data() + start, static_cast<std::size_t>(count))));
  }
}

void bind_rank_of(BindContext& context) {
  store(context, {context.input(isa::RankOf::x).rank()});
}

void bind_count_of(BindContext& context) {
  store(context, {context.input(isa::CountOf::x).element_count()});
}

void bind_fill(BindContext& context) {
  using Row = isa::Fill;
  const TensorView& target = context.output(Row::dst);
  if (target.element_count() > 0) {
    context.call.set(kernels::fill,
                     {context.input(Row::value).data, target.data, target.element_count(),
                      static_cast<std::int64_t>(byte_size(target.dtype))});
  }
}

void bind_range(BindContext& context) {
  using Row = isa::Range;
  const TensorView& target = context.output(Row::dst);
  if (target.element_count() > 0) {
    context.call.set(kernels::range, {context.input(Row::start).data, context.input(Row::step).data,
                                      target.data, target.element_count(), target.dtype});
  }
}

void layout_one_hot(BindContext& context) {
  context.require_contiguous(isa::OneHot::indices);
}

void bind_one_hot(BindContext& context) {
  using Row = isa::OneHot;
  const TensorView& target = context.output(Row::dst);
  const TensorView& values = context.input(Row::values);
  if (target.element_count() == 0) {
    return;
  }
  const std::size_t axis = axis_position(context.integer(Row::axis), target.shape.size());
  const auto size = static_cast<std::int64_t>(byte_size(target.dtype));
  kernels::OneHotArguments arguments;
  arguments.indices = context.input(Row::indices).data;
  arguments.off = values.data;
  arguments.on = static_cast<const std::byte*>(values.data) + values.strides[0] * size;
  arguments.target = target.data;
  for (std::size_t i = 0; i < target.shape.size(); ++i) {
    (i < axis ? arguments.outer : i == axis ? arguments.depth : arguments.inner) *= target.shape[i];
  }
  arguments.index_dtype = context.input(Row::indices).dtype;
  arguments.element_size = size;
  context.call.set(kernels::one_hot, arguments);
}

}  // namespace

const Operator kShapeOf{.bind = bind_shape_of};
const Operator kRankOf{.bind = bind_rank_of};
const Operator kCountOf{.bind = bind_count_of};
const Operator kFill{.bind = bind_fill};
const Operator kRange{.bind = bind_range};
const Operator kOneHot{.layout = layout_one_hot, .bind = bind_one_hot};

}  // namespace pliant::bind
