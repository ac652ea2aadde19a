#include "kernels/gather/scatter.h"

#include "bind/axis_position.h"
#include "bind/indices.h"
#include "bind/operator.h"
#include "kernels/movement/merge_axes.h"

namespace pliant::bind {
namespace {

using kernels::ScatterArguments;
using kernels::ScatterAxes;

kernels::UpdateRule rule_of(isa::Reduction reduction) {
  static_assert(static_cast<int>(isa::Reduction::kNone) ==
                static_cast<int>(kernels::UpdateRule::kReplace));
  static_assert(static_cast<int>(isa::Reduction::kMultiply) ==
                static_cast<int>(kernels::UpdateRule::kMultiply));
  static_assert(static_cast<int>(isa::Reduction::kMinimum) ==
                static_cast<int>(kernels::UpdateRule::kMinimum));
  return static_cast<kernels::UpdateRule>(reduction);
}

template <class Row>
void layout_scatter(BindContext& context) {
  const TensorView& target = context.output(Row::dst);
  context.set_scratch_bytes(kernels::scatter_scratch_bytes(
      kernels::update_functions(target.dtype,
                                rule_of(context.choice<isa::Reduction>(Row::reduction))),
      target.element_count()));
}

void add_axis(ScatterAxes& axes, std::int64_t extent, std::int64_t target, std::int64_t updates,
              std::int64_t indices) {
  axes.shape.push_back(extent);
  axes.target.push_back(target);
  axes.updates.push_back(updates);
  axes.indices.push_back(indices);
}

void merge(ScatterAxes& axes) {
  kernels::merge_axes(axes.shape, {&axes.target, &axes.updates, &axes.indices});
}

/// What both rows share; their operands stand at the same positions.
ScatterArguments arguments_for(const BindContext& context, isa::Reduction reduction) {
  using Row = isa::ScatterElements;
  static_assert(int{isa::ScatterNd::dst} == int{Row::dst} &&
                int{isa::ScatterNd::x} == int{Row::x} &&
                int{isa::ScatterNd::indices} == int{Row::indices} &&
                int{isa::ScatterNd::updates} == int{Row::updates});
  const TensorView& x = context.input(Row::x);
  ScatterArguments arguments;
  arguments.copy = kernels::copy_arguments(x, context.output(Row::dst));
  arguments.updates = context.input(Row::updates).data;
  arguments.indices = context.input(Row::indices).data;
  arguments.functions = kernels::update_functions(x.dtype, rule_of(reduction));
  arguments.index_size = static_cast<std::int64_t>(byte_size(context.input(Row::indices).dtype));
  return arguments;
}

void bind_scatter_elements(BindContext& context) {
  using Row = isa::ScatterElements;
  const TensorView& target = context.output(Row::dst);
  const TensorView& indices = context.input(Row::indices);
  const TensorView& updates = context.input(Row::updates);
  if (target.element_count() == 0) {
    return;
  }
  const std::size_t axis = axis_position(context.integer(Row::axis), target.shape.size());
  ScatterArguments arguments =
      arguments_for(context, context.choice<isa::Reduction>(Row::reduction));
  for (std::size_t i = 0; i < indices.shape.size(); ++i) {
    if (i == axis) {
      add_axis(arguments.ordered, indices.shape[i], 0, updates.strides[i], indices.strides[i]);
    } else {
      add_axis(arguments.independent, indices.shape[i], target.strides[i], updates.strides[i],
               indices.strides[i]);
    }
  }
  merge(arguments.independent);
  arguments.tuple.extents.push_back(target.shape[axis]);
  arguments.tuple.strides.push_back(target.strides[axis]);
  context.call.set(kernels::scatter, arguments);
}

void bind_scatter_nd(BindContext& context) {
  using Row = isa::ScatterNd;
  const TensorView& target = context.output(Row::dst);
  const TensorView& indices = context.input(Row::indices);
  const TensorView& updates = context.input(Row::updates);
  if (target.element_count() == 0) {
    return;
  }
  const auto components = static_cast<std::size_t>(indices.shape.back());
  const std::size_t tuple_axes = indices.shape.size() - 1;
  ScatterArguments arguments =
      arguments_for(context, context.choice<isa::Reduction>(Row::reduction));
  for (std::size_t i = 0; i < tuple_axes; ++i) {
    add_axis(arguments.ordered, indices.shape[i], 0, updates.strides[i], indices.strides[i]);
  }
  for (std::size_t i = components; i < target.shape.size(); ++i) {
    add_axis(arguments.independent, target.shape[i], target.strides[i],
             updates.strides[tuple_axes + i - components], 0);
  }
  merge(arguments.ordered);
  merge(arguments.independent);
  for (std::size_t c = 0; c < components; ++c) {
    arguments.tuple.extents.push_back(target.shape[c]);
    arguments.tuple.strides.push_back(target.strides[c]);
  }
  arguments.tuple.component_stride = indices.strides.back();
  context.call.set(kernels::scatter, arguments);
}

Status check_scatter_nd(const BindContext& context) {
  using Row = isa::ScatterNd;
  return check_index_tuples(context, context.input(Row::indices), context.input(Row::x).shape, 0);
}

}  // namespace

const Operator kScatterElements{.layout = layout_scatter<isa::ScatterElements>,
                                .bind = bind_scatter_elements,
                                .check = check_indices_along_axis<isa::ScatterElements>};
const Operator kScatterNd{
    .layout = layout_scatter<isa::ScatterNd>, .bind = bind_scatter_nd, .check = check_scatter_nd};

}  // namespace pliant::bind
