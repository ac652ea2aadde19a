#include <fmt/format.h>

#include "semantics/rules.h"
#include "semantics/shape_lists.h"

// TOP_K, NON_ZERO, COMPRESS and NMS: elements are picked by their values.

namespace pliant::semantics {

Status infer_TopK(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::TopK::x);
  const auto k = context.size(isa::TopK::k);
  if (k && k->is_number() && k->number() < 0) {
    return context.error(fmt::format("k is {}", k->number()));
  }
  if (!x.rank_known) {
    context.set_unknown(isa::TopK::values);
    context.set_unknown(isa::TopK::indices);
    return {};
  }
  PLIANT_ASSIGN_OR_RETURN(const int axis,
                          context.normalise_axis(context.integer(isa::TopK::axis), x.shape.size()));
  ExtentShape shape = x.shape;
  Extent& extent = shape[static_cast<std::size_t>(axis)];
  if (k && k->is_number() && extent.is_number() && k->number() > extent.number()) {
    return context.error(
        fmt::format("k is {}, axis {} of x has extent {}", k->number(), axis, extent.number()));
  }
  extent = k ? *k : context.unknown_extent();
  PLIANT_RETURN_IF_ERROR(context.set(isa::TopK::values, shape));
  return context.set(isa::TopK::indices, shape);
}

Status infer_NonZero(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::NonZero::x);
  const Extent rank =
      x.rank_known ? Extent(static_cast<std::int64_t>(x.shape.size())) : context.unknown_extent();
  return context.set(isa::NonZero::dst, {rank, context.measured(0)});
}

Status infer_Compress(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::Compress::x);
  const TensorFacts& condition = context.tensor(isa::Compress::condition);
  if (condition.rank_known && condition.shape.size() != 1) {
    return context.error(
        fmt::format("condition must have one axis, its shape is {}", to_string(condition.shape)));
  }
  const bool flattens = !context.given(isa::Compress::axis);
  if (!x.rank_known) {
    if (flattens) {
      return context.set(isa::Compress::dst, {context.measured(0)});
    }
    context.set_unknown(isa::Compress::dst);
    return {};
  }
  ExtentShape shape = flattens ? ExtentShape{product(x.shape)} : x.shape;
  PLIANT_ASSIGN_OR_RETURN(
      const int axis,
      context.normalise_axis(flattens ? 0 : context.integer(isa::Compress::axis), shape.size()));
  Extent& extent = shape[static_cast<std::size_t>(axis)];
  if (condition.rank_known && condition.shape[0].is_number() && extent.is_number() &&
      condition.shape[0].number() > extent.number()) {
    return context.error(fmt::format("condition has {} elements, x only {} to pick from",
                                     condition.shape[0].number(), extent.number()));
  }
  extent = context.measured(0);
  return context.set(isa::Compress::dst, shape);
}

Status infer_NonMaxSuppression(InferenceContext& context) {
  const TensorFacts& boxes = context.tensor(isa::NonMaxSuppression::boxes);
  const TensorFacts& scores = context.tensor(isa::NonMaxSuppression::scores);
  if (boxes.rank_known &&
      (boxes.shape.size() != 3 || (boxes.shape[2].is_number() && !boxes.shape[2].is(4)))) {
    return context.error(
        fmt::format("boxes must have shape [batch, boxes, 4], it has {}", to_string(boxes.shape)));
  }
  if (scores.rank_known && scores.shape.size() != 3) {
    return context.error(fmt::format("scores must have shape [batch, classes, boxes], it has {}",
                                     to_string(scores.shape)));
  }
  if (boxes.rank_known && scores.rank_known) {
    PLIANT_RETURN_IF_ERROR(
        context.require_equal(boxes.shape[0], scores.shape[0], "batch of boxes", "of scores"));
    PLIANT_RETURN_IF_ERROR(context.require_equal(boxes.shape[1], scores.shape[2], "number of boxes",
                                                 "number of scores"));
  }
  for (const int operand : {isa::NonMaxSuppression::overlap, isa::NonMaxSuppression::threshold}) {
    if (context.given(operand)) {
      PLIANT_RETURN_IF_ERROR(require_one_element(
          context, operand, context.row().operands[static_cast<std::size_t>(operand)].field));
    }
  }
  return context.set(isa::NonMaxSuppression::dst, {context.measured(0), 3});
}

}  // namespace pliant::semantics
