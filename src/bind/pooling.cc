#include "kernels/pooling/pooling.h"

#include "bind/operator.h"
#include "bind/window_binding.h"
#include "tensor/dtype.h"

namespace pliant::bind {
namespace {

namespace pooling = kernels::pooling;

template <class Row>
pooling::PoolArguments arguments_of(const BindContext& context, const TensorView& y) {
  const TensorView& x = context.input(Row::x);
  const auto& window = context.operand(Row::window).list;
  const std::size_t spatial_rank = window.size();
  pooling::PoolArguments arguments;
  arguments.shape.batch = x.shape[0];
  arguments.shape.channels = x.shape[1];
  spread_strides(x, arguments.shape.x_strides);
  for (std::size_t axis = 0; axis < spatial_rank; ++axis) {
    arguments.shape.axes[3 - spatial_rank + axis] =
        forward_axis(context, kWindowOperands<Row>, axis, spatial_rank, x.shape[axis + 2],
                     y.shape[axis + 2], window[axis].number);
  }
  arguments.x = x.data;
  return arguments;
}

/// The result keeps the layout of x: channels last where x has them last, else row-major.
template <class Row>
void layout_pool(BindContext& context) {
  const TensorView& x = context.input(Row::x);
  if (context.wanted(Row::dst) && x.shape[1] > 1 && x.strides[1] == 1) {
    context.set_strides(Row::dst, channels_last_strides(context.output(Row::dst).shape));
  }
}

void bind_max_pool(BindContext& context) {
  using Row = isa::MaxPool;
  const bool has_values = context.wanted(Row::dst);
  const bool has_indices = context.wanted(Row::indices);
  if (!has_values && !has_indices) {
    return;
  }
  const TensorView& y = context.output(has_values ? int{Row::dst} : int{Row::indices});
  if (y.element_count() == 0) {
    return;
  }
  pooling::PoolArguments arguments = arguments_of<Row>(context, y);
  if (has_values) {
    arguments.y = y.data;
    spread_strides(y, arguments.shape.y_strides);
  }
  if (has_indices) {
    arguments.indices = context.output(Row::indices).as<std::int64_t>();
    spread_strides(context.output(Row::indices), arguments.index_strides);
    arguments.column_major = context.flag(Row::column_major);
  }
  const DType dtype = context.input(Row::x).dtype;
  if (dtype == DType::kF32 && !has_indices) {
    context.call.set(pooling::max_pool_f32, arguments);
    return;
  }
  visit_dtype(dtype,
              [&](auto zero) { context.call.set(pooling::max_pool<decltype(zero)>, arguments); });
}

void bind_average_pool(BindContext& context) {
  using Row = isa::AveragePool;
  if (!context.wanted(Row::dst) || context.output(Row::dst).element_count() == 0) {
    return;
  }
  const TensorView& y = context.output(Row::dst);
  pooling::PoolArguments arguments = arguments_of<Row>(context, y);
  arguments.y = y.data;
  spread_strides(y, arguments.shape.y_strides);
  arguments.count_padding = context.flag(Row::count_padding);
  const DType dtype = y.dtype;
  if (dtype == DType::kF32) {
    context.call.set(pooling::average_pool_f32, arguments);
  } else if (dtype == DType::kF64) {
    context.call.set(pooling::average_pool<double>, arguments);
  } else if (dtype == DType::kF16) {
    context.call.set(pooling::average_pool<Half>, arguments);
  } else {
    context.call.set(pooling::average_pool<BFloat16>, arguments);
  }
}

}  // namespace

const Operator kMaxPool{.layout = layout_pool<isa::MaxPool>, .bind = bind_max_pool};
const Operator kAveragePool{.layout = layout_pool<isa::AveragePool>, .bind = bind_average_pool};

}  // namespace pliant::bind
