#include <fmt/format.h>

#include <algorithm>

#include "semantics/rules.h"
#include "semantics/shape_lists.h"

// CONCAT, PAD, TILE and TRIANGULAR.

namespace pliant::semantics {
namespace {

/// One axis of a concatenation, other than the joined one: the parts agree, numbers win.
Result<Extent> common_extent(InferenceContext& context, std::span<const TensorFacts> parts,
                             std::size_t axis, std::size_t rank) {
  std::optional<Extent> common;
  for (const TensorFacts& part : parts) {
    if (!part.rank_known) {
      continue;
    }
    const Extent& extent = part.shape[axis];
    if (!common) {
      common = extent;
      continue;
    }
    PLIANT_RETURN_IF_ERROR(
        context.require_equal(*common, extent, fmt::format("axis {} of a part", axis),
                              fmt::format("of another of the {}-d parts", rank)));
    if (extent.is_number()) {
      common = extent;
    }
  }
  return common ? *common : context.unknown_extent();
}

Extent joined_extent(InferenceContext& context, std::span<const TensorFacts> parts,
                     std::size_t axis) {
  Extent sum = 0;
  for (const TensorFacts& part : parts) {
    if (!part.rank_known) {
      return context.unknown_extent();
    }
    sum = sum + part.shape[axis];
  }
  return sum;
}

}  // namespace

Status infer_Concat(InferenceContext& context) {
  const std::span<const TensorFacts> parts = context.tensors(isa::Concat::parts);
  const TensorFacts* known = nullptr;
  for (const TensorFacts& part : parts) {
    if (!part.rank_known) {
      continue;
    }
    if (known != nullptr && part.shape.size() != known->shape.size()) {
      return context.error(
          fmt::format("a part has rank {}, another {}", known->shape.size(), part.shape.size()));
    }
    known = &part;
  }
  if (parts.empty()) {
    return context.error("there is no part");
  }
  if (parts.size() > kMaxConcatParts) {
    return context.error(
        fmt::format("{} parts, at most {} can be joined at once", parts.size(), kMaxConcatParts));
  }
  if (known == nullptr) {
    context.set_unknown(isa::Concat::dst);
    return {};
  }
  const std::size_t rank = known->shape.size();
  PLIANT_ASSIGN_OR_RETURN(const int axis,
                          context.normalise_axis(context.integer(isa::Concat::axis), rank));
  ExtentShape shape;
  for (std::size_t i = 0; i < rank; ++i) {
    if (static_cast<int>(i) == axis) {
      shape.push_back(joined_extent(context, parts, i));
    } else {
      PLIANT_ASSIGN_OR_RETURN(const Extent extent, common_extent(context, parts, i, rank));
      shape.push_back(extent);
    }
  }
  return context.set(isa::Concat::dst, shape);
}

namespace {

/// One padded axis. Negative pads crop first; the border is then made from what is left.
Result<Extent> padded_extent(const InferenceContext& context, int axis, const Extent& extent,
                             const Extent& before, const Extent& after) {
  const Extent result = extent + before + after;
  if (!extent.is_number() || !before.is_number() || !after.is_number()) {
    return result;
  }
  const Extent left = extent + minimum(before, 0) + minimum(after, 0);
  if (left.is_overflow() || left.number() < 0) {
    return context.error(
        fmt::format("axis {} of extent {} with pads {} and {} would have the negative size {}",
                    axis, extent.number(), before.number(), after.number(), to_string(left)));
  }
  if (result.is_overflow()) {
    return result;
  }
  const std::int64_t border = std::max<std::int64_t>({before.number(), after.number(), 0});
  const auto mode = context.choice<isa::PadMode>(isa::Pad::mode);
  if (border == 0 || mode == isa::PadMode::kConstant) {
    return result;
  }
  if (left.is(0)) {
    return context.error(
        fmt::format("axis {} has no element to make a border of {} from", axis, border));
  }
  if (mode == isa::PadMode::kReflect && border >= left.number()) {
    return context.error(fmt::format("axis {} of extent {} cannot be reflected into a border of {}",
                                     axis, left.number(), border));
  }
  return result;
}

/// The axes that are padded; empty when not known.
Result<std::optional<std::vector<int>>> padded_axes(const InferenceContext& context,
                                                    std::size_t rank) {
  if (!context.given(isa::Pad::axes)) {
    return std::optional(first_axes(rank));
  }
  const auto given = context.sizes(isa::Pad::axes);
  const auto numbers = given ? numbers_of(*given) : std::nullopt;
  if (!numbers) {
    return std::optional<std::vector<int>>();
  }
  PLIANT_ASSIGN_OR_RETURN(std::vector<int> axes, distinct_axes(context, *numbers, rank));
  return std::optional(std::move(axes));
}

}  // namespace

Status infer_Pad(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::Pad::x);
  if (context.given(isa::Pad::value)) {
    PLIANT_RETURN_IF_ERROR(require_one_element(context, isa::Pad::value, "value"));
  }
  if (!x.rank_known) {
    context.set_unknown(isa::Pad::dst);
    return {};
  }
  const std::size_t rank = x.shape.size();
  PLIANT_ASSIGN_OR_RETURN(const std::optional<std::vector<int>> axes, padded_axes(context, rank));
  if (!axes) {
    context.set_rank(isa::Pad::dst, rank);
    return {};
  }
  const auto pads = context.sizes(isa::Pad::pads);
  const auto count = pads ? std::optional(static_cast<std::int64_t>(pads->size()))
                          : context.size_count(isa::Pad::pads);
  if (count && *count != static_cast<std::int64_t>(2 * axes->size())) {
    return context.error(fmt::format("{} pads for {} axes", *count, axes->size()));
  }
  ExtentShape shape = x.shape;
  for (std::size_t i = 0; i < axes->size(); ++i) {
    Extent& extent = shape[static_cast<std::size_t>((*axes)[i])];
    if (!pads) {
      extent = context.unknown_extent();
      continue;
    }
    PLIANT_ASSIGN_OR_RETURN(
        extent, padded_extent(context, (*axes)[i], extent, (*pads)[i], (*pads)[i + axes->size()]));
  }
  return context.set(isa::Pad::dst, shape);
}

Status infer_Tile(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::Tile::x);
  const auto repeats = context.sizes(isa::Tile::repeats);
  const auto count = repeats ? std::optional(static_cast<std::int64_t>(repeats->size()))
                             : context.size_count(isa::Tile::repeats);
  if (count && x.rank_known && *count != static_cast<std::int64_t>(x.shape.size())) {
    return context.error(fmt::format("{} repeats for a tensor of rank {}", *count, x.shape.size()));
  }
  if (!x.rank_known || !repeats) {
    if (!x.rank_known && !count) {
      context.set_unknown(isa::Tile::dst);
      return {};
    }
    const std::size_t rank = x.rank_known ? x.shape.size() : static_cast<std::size_t>(*count);
    PLIANT_RETURN_IF_ERROR(check_rank(context, rank));
    context.set_rank(isa::Tile::dst, rank);
    return {};
  }
  ExtentShape shape;
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    const Extent& repeat = (*repeats)[i];
    if (repeat.is_number() && repeat.number() < 0) {
      return context.error(fmt::format("axis {} is repeated {} times", i, repeat.number()));
    }
    shape.push_back(x.shape[i] * repeat);
  }
  return context.set(isa::Tile::dst, shape);
}

Status infer_Triangular(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::Triangular::x);
  if (!x.rank_known) {
    context.set_unknown(isa::Triangular::dst);
    return {};
  }
  if (x.shape.size() < 2) {
    return context.error(fmt::format("x must have at least two axes, it has {}", x.shape.size()));
  }
  return context.set(isa::Triangular::dst, x.shape);
}

}  // namespace pliant::semantics
