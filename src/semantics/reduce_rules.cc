#include <fmt/format.h>

#include "semantics/rules.h"

namespace pliant::semantics {
namespace {

using Reduce = isa::ReduceSum;  // all REDUCE rows have the same operands

/// x's shape without the reduced axes, or with extent 1 there.
ExtentShape reduced_shape(const ExtentShape& x, const InlineVector<bool, kMaxRank>& reduced,
                          bool keep) {
  ExtentShape shape;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!reduced[i]) {
      shape.push_back(x[i]);
    } else if (keep) {
      shape.push_back(1);
    }
  }
  return shape;
}

/// The axes are not known yet; their number may be.
void set_without_axes(InferenceContext& context, std::size_t rank) {
  const auto count = context.size_count(Reduce::axis);
  if (context.flag(Reduce::keepdims)) {
    context.set_rank(Reduce::dst, rank);
  } else if (count && *count > 0 && *count <= static_cast<std::int64_t>(rank)) {
    context.set_rank(Reduce::dst, rank - static_cast<std::size_t>(*count));
  } else {
    context.set_unknown(Reduce::dst);
  }
}

}  // namespace

Status infer_Reduce(InferenceContext& context) {
  const TensorFacts& x = context.tensor(Reduce::x);
  if (!x.rank_known) {
    context.set_unknown(Reduce::dst);
    return {};
  }
  const std::size_t rank = x.shape.size();
  ExtentList axes;
  if (context.given(Reduce::axis)) {
    const auto given = context.sizes(Reduce::axis);
    if (!given) {
      set_without_axes(context, rank);
      return {};
    }
    axes = *given;
  }
  const bool all =
      axes.empty() && context.choice<isa::EmptyAxes>(Reduce::empty) == isa::EmptyAxes::kAll;
  InlineVector<bool, kMaxRank> reduced(rank, all);
  for (const Extent& axis : axes) {
    if (!axis.is_number()) {
      set_without_axes(context, rank);
      return {};
    }
    PLIANT_ASSIGN_OR_RETURN(const int position, context.normalise_axis(axis, rank));
    if (reduced[static_cast<std::size_t>(position)]) {
      return context.error(fmt::format("axis {} is given twice", position));
    }
    reduced[static_cast<std::size_t>(position)] = true;
  }
  return context.set(Reduce::dst, reduced_shape(x.shape, reduced, context.flag(Reduce::keepdims)));
}

Status infer_ArgReduce(InferenceContext& context) {
  using Row = isa::ArgMax;
  const TensorFacts& x = context.tensor(Row::x);
  if (!x.rank_known) {
    context.set_unknown(Row::dst);
    return {};
  }
  PLIANT_ASSIGN_OR_RETURN(const int axis,
                          context.normalise_axis(context.integer(Row::axis), x.shape.size()));
  const auto position = static_cast<std::size_t>(axis);
  if (x.shape[position].is(0)) {
    return context.error(fmt::format("axis {} of shape {} has no elements to choose from", axis,
                                     to_string(x.shape)));
  }
  InlineVector<bool, kMaxRank> reduced(x.shape.size(), false);
  reduced[position] = true;
  return context.set(Row::dst, reduced_shape(x.shape, reduced, context.flag(Row::keepdims)));
}

/// SOFTMAX and its kin: the shape of x; the axis must exist.
Status infer_AlongAxis(InferenceContext& context) {
  using Row = isa::Softmax;
  const TensorFacts& x = context.tensor(Row::x);
  if (!x.rank_known) {
    context.set_unknown(Row::dst);
    return {};
  }
  PLIANT_ASSIGN_OR_RETURN([[maybe_unused]] const int axis,
                          context.normalise_axis(context.integer(Row::axis), x.shape.size()));
  return context.set(Row::dst, x.shape);
}

Status infer_CumulativeSum(InferenceContext& context) {
  using Row = isa::CumulativeSum;
  const TensorFacts& x = context.tensor(Row::x);
  if (!x.rank_known) {
    context.set_unknown(Row::dst);
    return {};
  }
  if (const auto axis = context.size(Row::axis); axis && axis->is_number()) {
    PLIANT_ASSIGN_OR_RETURN([[maybe_unused]] const int position,
                            context.normalise_axis(*axis, x.shape.size()));
  }
  return context.set(Row::dst, x.shape);
}

}  // namespace pliant::semantics
