#include "kernels/scan/cumulative_sum.h"

#include "bind/operator.h"
#include "bind/result_strides.h"

namespace pliant::bind {
namespace {

using Row = isa::CumulativeSum;

void layout_cumulative_sum(BindContext& context) {
  const TensorView& x = context.input(Row::x);
  context.set_strides(Row::dst, strides_following(x, x.shape));
}

void bind_cumulative_sum(BindContext& context) {
  const TensorView& x = context.input(Row::x);
  const TensorView& y = context.output(Row::dst);
  if (x.element_count() == 0) {
    return;
  }
  const std::int64_t given = context.size(Row::axis);
  const auto axis = static_cast<std::size_t>(given < 0 ? given + x.rank() : given);
  bool along[kMaxRank] = {};
  along[axis] = true;
  kernels::CumulativeSumArguments arguments;
  arguments.axes = kernels::make_reduced_axes(x, along, y.strides);
  arguments.x_stride = x.strides[axis];
  arguments.y_stride = y.strides[axis];
  arguments.x = x.data;
  arguments.y = y.data;
  arguments.dtype = x.dtype;
  if (context.flag(Row::exclusive)) {
    arguments.own = kernels::CumulativeSumArguments::Own::kExcluded;
  }
  if (context.flag(Row::reverse)) {
    arguments.from = kernels::CumulativeSumArguments::From::kEnd;
  }
  context.call.set(&kernels::cumulative_sum, arguments);
}

}  // namespace

const Operator kCumulativeSum{.layout = layout_cumulative_sum, .bind = bind_cumulative_sum};

}  // namespace pliant::bind
