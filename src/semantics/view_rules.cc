#include <fmt/format.h>

#include <algorithm>

#include "semantics/rules.h"
#include "semantics/shape_lists.h"

// TRANSPOSE and BROADCAST_TO.

namespace pliant::semantics {

Status infer_Transpose(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::Transpose::x);
  if (!context.given(isa::Transpose::perm)) {
    if (!x.rank_known) {
      context.set_unknown(isa::Transpose::dst);
      return {};
    }
    ExtentShape reversed = x.shape;
    std::reverse(reversed.begin(), reversed.end());
    return context.set(isa::Transpose::dst, reversed);
  }
  const std::vector<std::int64_t> perm = context.integers(isa::Transpose::perm);
  PLIANT_RETURN_IF_ERROR(check_rank(context, perm.size()));
  if (x.rank_known && perm.size() != x.shape.size()) {
    return context.error(
        fmt::format("perm has {} entries, x has rank {}", perm.size(), x.shape.size()));
  }
  PLIANT_ASSIGN_OR_RETURN(const std::vector<int> axes, distinct_axes(context, perm, perm.size()));
  if (!x.rank_known) {
    context.set_rank(isa::Transpose::dst, perm.size());
    return {};
  }
  ExtentShape shape;
  for (const int axis : axes) {
    shape.push_back(x.shape[static_cast<std::size_t>(axis)]);
  }
  return context.set(isa::Transpose::dst, shape);
}

namespace {

/// The extent of one result axis when the target is not known: x decides where it is not 1.
Extent broadcast_with_unknown(InferenceContext& context, const Extent& x) {
  return x.is_number() && !x.is(1) ? x : context.unknown_extent();
}

Status broadcast_to_unknown(InferenceContext& context, const TensorFacts& x, bool exact) {
  const auto count = context.size_count(isa::BroadcastTo::shape);
  if (!count || (!x.rank_known && !exact)) {
    context.set_unknown(isa::BroadcastTo::dst);
    return {};
  }
  const auto target_rank = static_cast<std::size_t>(*count);
  PLIANT_RETURN_IF_ERROR(check_rank(context, target_rank));
  if (!x.rank_known) {
    context.set_rank(isa::BroadcastTo::dst, target_rank);
    return {};
  }
  if (exact && x.shape.size() > target_rank) {
    return context.error(
        fmt::format("x has rank {}, the target has {}", x.shape.size(), target_rank));
  }
  const std::size_t rank = std::max(target_rank, x.shape.size());
  ExtentShape shape;
  for (std::size_t i = 0; i < rank; ++i) {
    const bool only_x = i < rank - target_rank;
    const bool only_target = i < rank - x.shape.size();
    const Extent extent = only_target ? Extent(1) : x.shape[i - (rank - x.shape.size())];
    shape.push_back(only_x ? extent : broadcast_with_unknown(context, extent));
  }
  return context.set(isa::BroadcastTo::dst, shape);
}

Status broadcast_exactly(InferenceContext& context, const TensorFacts& x,
                         const ExtentShape& target) {
  if (x.rank_known) {
    const auto wrong = [&] {
      return context.error(fmt::format("x of shape {} does not broadcast to {}", to_string(x.shape),
                                       to_string(target)));
    };
    if (x.shape.size() > target.size()) {
      return wrong();
    }
    for (std::size_t i = 0; i < x.shape.size(); ++i) {
      const Extent& from = x.shape[i];
      const Extent& to = target[target.size() - x.shape.size() + i];
      if (from.is_number() && to.is_number() && !from.is(1) && !(from == to)) {
        return wrong();
      }
    }
  }
  return context.set(isa::BroadcastTo::dst, target);
}

}  // namespace

Status infer_BroadcastTo(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::BroadcastTo::x);
  const bool exact =
      context.choice<isa::Broadcast>(isa::BroadcastTo::rule) == isa::Broadcast::kExact;
  const auto sizes = context.sizes(isa::BroadcastTo::shape);
  if (!sizes) {
    return broadcast_to_unknown(context, x, exact);
  }
  PLIANT_ASSIGN_OR_RETURN(const ExtentShape target, shape_from(context, *sizes));
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (target[i].is_number() && target[i].number() < 0) {
      return context.error(
          fmt::format("extent {} of the target shape is {}; use 1 to keep an extent of x{}", i,
                      target[i].number(), exact ? " with rule=mutual" : ""));
    }
  }
  if (exact) {
    return broadcast_exactly(context, x, target);
  }
  if (!x.rank_known) {
    context.set_unknown(isa::BroadcastTo::dst);
    return {};
  }
  PLIANT_ASSIGN_OR_RETURN(const ExtentShape shape, context.broadcast_shapes(x.shape, target));
  return context.set(isa::BroadcastTo::dst, shape);
}

}  // namespace pliant::semantics
