#include "kernels/gather/gather.h"

#include "bind/axis_position.h"
#include "bind/indices.h"
#include "bind/operator.h"
#include "kernels/movement/merge_axes.h"

namespace pliant::bind {
namespace {

using kernels::GatherArguments;

/// Arguments without axes: where everything is.
GatherArguments arguments_for(const TensorView& x, const TensorView& indices,
                              const TensorView& target) {
  GatherArguments arguments;
  arguments.x = x.data;
  arguments.indices = indices.data;
  arguments.target = target.data;
  arguments.element_size = static_cast<std::int64_t>(byte_size(x.dtype));
  arguments.index_size = static_cast<std::int64_t>(byte_size(indices.dtype));
  return arguments;
}

void add_axis(GatherArguments& arguments, std::int64_t extent, std::int64_t x_stride,
              std::int64_t index_stride) {
  arguments.shape.push_back(extent);
  arguments.x_strides.push_back(x_stride);
  arguments.index_strides.push_back(index_stride);
}

/// Axes of x from `first` on: as many as possible become the line, the others axes of lines.
void add_slice(GatherArguments& arguments, const TensorView& x, std::size_t first) {
  std::size_t end = x.shape.size();
  for (; end > first; --end) {
    const std::int64_t extent = x.shape[end - 1];
    if (extent == 1) {
      continue;
    }
    if (arguments.length == 1) {
      arguments.line_stride = x.strides[end - 1];
    } else if (x.strides[end - 1] != arguments.line_stride * arguments.length) {
      break;
    }
    arguments.length *= extent;
  }
  for (std::size_t i = first; i < end; ++i) {
    add_axis(arguments, x.shape[i], x.strides[i], 0);
  }
}

void finish(BindContext& context, GatherArguments& arguments) {
  kernels::merge_axes(arguments.shape, {&arguments.x_strides, &arguments.index_strides});
  context.call.set(kernels::gather, arguments);
}

void bind_gather(BindContext& context) {
  using Row = isa::Gather;
  const TensorView& x = context.input(Row::x);
  const TensorView& indices = context.input(Row::indices);
  if (context.output(Row::dst).element_count() == 0) {
    return;
  }
  const std::size_t axis = axis_position(context.integer(Row::axis), x.shape.size());
  GatherArguments arguments = arguments_for(x, indices, context.output(Row::dst));
  for (std::size_t i = 0; i < axis; ++i) {
    add_axis(arguments, x.shape[i], x.strides[i], 0);
  }
  for (std::size_t i = 0; i < indices.shape.size(); ++i) {
    add_axis(arguments, indices.shape[i], 0, indices.strides[i]);
  }
  add_slice(arguments, x, axis + 1);
  arguments.tuple.extents.push_back(x.shape[axis]);
  arguments.tuple.strides.push_back(x.strides[axis]);
  finish(context, arguments);
}

void bind_gather_elements(BindContext& context) {
  using Row = isa::GatherElements;
  const TensorView& x = context.input(Row::x);
  const TensorView& indices = context.input(Row::indices);
  if (context.output(Row::dst).element_count() == 0) {
    return;
  }
  const std::size_t axis = axis_position(context.integer(Row::axis), x.shape.size());
  GatherArguments arguments = arguments_for(x, indices, context.output(Row::dst));
  for (std::size_t i = 0; i < indices.shape.size(); ++i) {
    add_axis(arguments, indices.shape[i], i == axis ? 0 : x.strides[i], indices.strides[i]);
  }
  arguments.tuple.extents.push_back(x.shape[axis]);
  arguments.tuple.strides.push_back(x.strides[axis]);
  finish(context, arguments);
}

void bind_gather_nd(BindContext& context) {
  using Row = isa::GatherNd;
  const TensorView& x = context.input(Row::x);
  const TensorView& indices = context.input(Row::indices);
  if (context.output(Row::dst).element_count() == 0) {
    return;
  }
  const auto batch_axes = static_cast<std::size_t>(context.integer(Row::batch_dims));
  const auto components = static_cast<std::size_t>(indices.shape.back());
  GatherArguments arguments = arguments_for(x, indices, context.output(Row::dst));
  for (std::size_t i = 0; i + 1 < indices.shape.size(); ++i) {
    add_axis(arguments, indices.shape[i], i < batch_axes ? x.strides[i] : 0, indices.strides[i]);
  }
  add_slice(arguments, x, batch_axes + components);
  for (std::size_t c = 0; c < components; ++c) {
    arguments.tuple.extents.push_back(x.shape[batch_axes + c]);
    arguments.tuple.strides.push_back(x.strides[batch_axes + c]);
  }
  arguments.tuple.component_stride = indices.strides.back();
  finish(context, arguments);
}

Status check_gather_nd(const BindContext& context) {
  using Row = isa::GatherNd;
  return check_index_tuples(context, context.input(Row::indices), context.input(Row::x).shape,
                            static_cast<std::size_t>(context.integer(Row::batch_dims)));
}

}  // namespace

const Operator kGather{.bind = bind_gather, .check = check_indices_along_axis<isa::Gather>};
const Operator kGatherElements{.bind = bind_gather_elements,
                               .check = check_indices_along_axis<isa::GatherElements>};
const Operator kGatherNd{.bind = bind_gather_nd, .check = check_gather_nd};

}  // namespace pliant::bind
