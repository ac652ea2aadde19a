#include <algorithm>
#include <vector>

#include "bind/axis_position.h"
#include "bind/operator.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/merge_axes.h"
#include "kernels/selection/compress.h"
#include "kernels/selection/non_max_suppression.h"
#include "kernels/selection/non_zero.h"
#include "kernels/selection/top_k.h"

// TOP_K, NON_ZERO, COMPRESS and NMS. Measuring comes before the shape rule, so it must stand any
// shape; what it counts for a wrong one is not used.

namespace pliant::bind {
namespace {

void layout_top_k(BindContext& context) {
  using Row = isa::TopK;
  const TensorView& x = context.input(Row::x);
  const std::int64_t extent = x.shape[axis_position(context.integer(Row::axis), x.shape.size())];
  context.set_scratch_bytes(static_cast<std::size_t>(context.worker_count()) *
                            kernels::top_k_scratch_bytes(extent, context.size(Row::k)));
}

void bind_top_k(BindContext& context) {
  using Row = isa::TopK;
  const TensorView& x = context.input(Row::x);
  const TensorView& values = context.output(Row::values);
  const TensorView& indices = context.output(Row::indices);
  const TensorView& wanted = context.wanted(Row::values) ? values : indices;
  if (wanted.element_count() == 0 ||
      (!context.wanted(Row::values) && !context.wanted(Row::indices))) {
    return;
  }
  const std::size_t axis = axis_position(context.integer(Row::axis), x.shape.size());
  kernels::TopKArguments arguments;
  arguments.x = x.data;
  arguments.values = context.wanted(Row::values) ? values.data : nullptr;
  arguments.indices = context.wanted(Row::indices) ? indices.as<std::int64_t>() : nullptr;
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    if (i != axis) {
      arguments.rows.push_back(x.shape[i]);
      arguments.x_strides.push_back(x.strides[i]);
      arguments.target_strides.push_back(wanted.strides[i]);
    }
  }
  arguments.extent = x.shape[axis];
  arguments.x_stride = x.strides[axis];
  arguments.target_stride = wanted.strides[axis];
  arguments.k = context.size(Row::k);
  arguments.order = context.choice<isa::Order>(Row::order) == isa::Order::kLargest
                        ? kernels::TopKOrder::kLargest
                        : kernels::TopKOrder::kSmallest;
  arguments.dtype = x.dtype;
  context.call.set(kernels::top_k, arguments);
}

void measure_non_zero(BindContext& context, std::span<std::int64_t> counts,
                      const ParallelFor& parallel) {
  counts[0] = kernels::count_non_zero(context.input(isa::NonZero::x), parallel);
}

void layout_non_zero(BindContext& context) {
  context.set_scratch_bytes(kernels::kNonZeroPieces * sizeof(std::int64_t));
}

void bind_non_zero(BindContext& context) {
  using Row = isa::NonZero;
  const TensorView& target = context.output(Row::dst);
  if (target.element_count() > 0) {
    context.call.set(kernels::non_zero,
                     {context.input(Row::x), target.as<std::int64_t>(), target.shape[1]});
  }
}

void measure_compress(BindContext& context, std::span<std::int64_t> counts,
                      const ParallelFor& parallel) {
  counts[0] = kernels::count_non_zero(context.input(isa::Compress::condition), parallel);
}

void layout_compress(BindContext& context) {
  using Row = isa::Compress;
  if (!context.given(Row::axis)) {
    context.require_contiguous(Row::x);
  }
  const Shape& shape = context.input(Row::condition).shape;
  context.set_scratch_bytes(static_cast<std::size_t>(shape[0]) * sizeof(std::int64_t));
}

void bind_compress(BindContext& context) {
  using Row = isa::Compress;
  const TensorView& target = context.output(Row::dst);
  if (target.element_count() == 0) {
    return;
  }
  TensorView x = context.input(Row::x);
  std::size_t axis = 0;
  if (context.given(Row::axis)) {
    axis = axis_position(context.integer(Row::axis), x.shape.size());
  } else {
    x = contiguous_view(x.data, x.dtype, {x.element_count()});
  }
  const TensorView& condition = context.input(Row::condition);
  kernels::CompressArguments arguments;
  arguments.condition = condition.as<bool>();
  arguments.condition_count = condition.shape[0];
  arguments.condition_stride = condition.strides[0];
  kernels::GatherArguments& gather = arguments.gather;
  gather.x = x.data;
  gather.target = target.data;
  gather.element_size = static_cast<std::int64_t>(byte_size(x.dtype));
  gather.tuple.extents.push_back(x.shape[axis]);
  gather.tuple.strides.push_back(x.strides[axis]);
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    gather.shape.push_back(target.shape[i]);
    gather.x_strides.push_back(i == axis ? 0 : x.strides[i]);
    gather.index_strides.push_back(i == axis ? 1 : 0);
  }
  kernels::merge_axes(gather.shape, {&gather.x_strides, &gather.index_strides});
  // A last axis that x keeps is copied line by line.
  if (gather.index_strides.back() == 0 && gather.shape.size() > 1) {
    gather.length = gather.shape.back();
    gather.line_stride = gather.x_strides.back();
    gather.shape.erase_at(gather.shape.size() - 1);
    gather.x_strides.erase_at(gather.x_strides.size() - 1);
    gather.index_strides.erase_at(gather.index_strides.size() - 1);
  }
  context.call.set(kernels::compress, arguments);
}

float number_or(const BindContext& context, int operand, float otherwise) {
  return context.given(operand) ? *context.input(operand).as<float>() : otherwise;
}

kernels::NonMaxSuppressionArguments suppression_arguments(const BindContext& context) {
  using Row = isa::NonMaxSuppression;
  const TensorView& boxes = context.input(Row::boxes);
  const TensorView& scores = context.input(Row::scores);
  kernels::NonMaxSuppressionArguments arguments;
  arguments.boxes = boxes.as<float>();
  arguments.scores = scores.as<float>();
  arguments.batch = scores.shape[0];
  arguments.classes = scores.shape[1];
  arguments.box_count = scores.shape[2];
  arguments.limit = context.size(Row::limit);
  arguments.overlap = number_or(context, Row::overlap, 0.0f);
  arguments.has_threshold = context.given(Row::threshold);
  arguments.threshold = number_or(context, Row::threshold, 0.0f);
  arguments.form = context.choice<isa::BoxForm>(Row::form) == isa::BoxForm::kCenter
                       ? kernels::BoxForm::kCenter
                       : kernels::BoxForm::kCorners;
  return arguments;
}

/// The elements of a view in row-major order, for measuring, which comes before layout().
std::vector<float> row_major(const TensorView& view) {
  std::vector<float> values(static_cast<std::size_t>(view.element_count()));
  SerialFor serial;
  kernels::copy_strided(
      kernels::copy_arguments(view, contiguous_view(values.data(), view.dtype, view.shape)),
      kernels::KernelContext{serial});
  return values;
}

bool has_one_element(const BindContext& context, int operand) {
  return !context.given(operand) || context.input(operand).element_count() == 1;
}

void measure_non_max_suppression(BindContext& context, std::span<std::int64_t> counts,
                                 const ParallelFor& parallel) {
  using Row = isa::NonMaxSuppression;
  counts[0] = 0;
  const Shape& boxes = context.input(Row::boxes).shape;
  const Shape& scores = context.input(Row::scores).shape;
  const bool fits = boxes.size() == 3 && scores.size() == 3 && boxes[0] == scores[0] &&
                    boxes[1] == scores[2] && boxes[2] == 4 &&
                    has_one_element(context, Row::overlap) &&
                    has_one_element(context, Row::threshold);
  if (!fits) {
    return;
  }
  kernels::NonMaxSuppressionArguments arguments = suppression_arguments(context);
  const std::vector<float> box_values = row_major(context.input(Row::boxes));
  const std::vector<float> score_values = row_major(context.input(Row::scores));
  arguments.boxes = box_values.data();
  arguments.scores = score_values.data();
  std::vector<std::byte> scratch(kernels::non_max_suppression_scratch_bytes(arguments));
  counts[0] = kernels::count_selected_boxes(arguments, scratch.data(), parallel);
}

void layout_non_max_suppression(BindContext& context) {
  using Row = isa::NonMaxSuppression;
  context.require_contiguous(Row::boxes);
  context.require_contiguous(Row::scores);
  context.set_scratch_bytes(
      kernels::non_max_suppression_scratch_bytes(suppression_arguments(context)));
}

void bind_non_max_suppression(BindContext& context) {
  using Row = isa::NonMaxSuppression;
  if (context.output(Row::dst).element_count() > 0) {
    kernels::NonMaxSuppressionArguments arguments = suppression_arguments(context);
    arguments.target = context.output(Row::dst).as<std::int64_t>();
    context.call.set(kernels::non_max_suppression, arguments);
  }
}

}  // namespace

const Operator kTopK{.layout = layout_top_k, .bind = bind_top_k};
const Operator kNonZero{
    .measure = measure_non_zero, .layout = layout_non_zero, .bind = bind_non_zero};
const Operator kCompress{
    .measure = measure_compress, .layout = layout_compress, .bind = bind_compress};
const Operator kNonMaxSuppression{.measure = measure_non_max_suppression,
                                  .layout = layout_non_max_suppression,
                                  .bind = bind_non_max_suppression};

}  // namespace pliant::bind
