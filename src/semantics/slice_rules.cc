#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "semantics/rules.h"
#include "semantics/shape_lists.h"
#include "semantics/slice_bounds.h"

// SLICE and SPLIT.

namespace pliant::semantics {
namespace {

/// Larger than any extent that fits into memory: "to the end".
constexpr std::int64_t kBeyondEveryExtent = std::int64_t{1} << 62;

/// A bound of a forward slice within 0..extent.
Extent clamped_bound(const Extent& bound, const Extent& extent) {
  if (bound == extent) {
    return extent;
  }
  if (!bound.is_number()) {
    return is_nonnegative(bound) ? minimum(bound, extent)
                                 : maximum(minimum(from_end(bound, extent), extent), 0);
  }
  if (bound.number() >= kBeyondEveryExtent) {
    return extent;
  }
  if (bound.number() >= 0) {
    return bound.is(0) ? Extent(0) : minimum(bound, extent);
  }
  if (bound.number() <= -kBeyondEveryExtent) {
    return Extent(0);
  }
  return maximum(extent + bound, 0);
}

/// How many elements a slice selects, as far as that can be said.
Extent selected_extent(InferenceContext& context, const Extent& extent, const Extent& start,
                       const Extent& end, const Extent& step) {
  if (extent.is_number() && start.is_number() && end.is_number() && step.is_number()) {
    return slice_bounds(extent.number(), start.number(), end.number(), step.number()).count;
  }
  if (!step.is_number()) {
    return context.unknown_extent();
  }
  if (step.number() < 0) {
    const bool whole = start.is_number() &&
                       (start.is(-1) || start.number() >= kBeyondEveryExtent) && end.is_number() &&
                       end.number() <= -kBeyondEveryExtent;
    return whole && step.is(-1) ? extent : context.unknown_extent();
  }
  const Extent first = clamped_bound(start, extent);
  const Extent last = clamped_bound(end, extent);
  Extent count = last;
  if (!first.is(0)) {
    count = last == extent ? extent - first : maximum(last - first, 0);
  }
  return ceil_divide(count, step);
}

/// Lists of SLICE must be as long as `starts`; empty when that is not known.
Result<std::optional<std::size_t>> common_count(InferenceContext& context) {
  std::optional<std::size_t> count;
  for (const int operand :
       {isa::Slice::starts, isa::Slice::ends, isa::Slice::axes, isa::Slice::steps}) {
    if (!context.given(operand)) {
      continue;
    }
    const auto values = context.sizes(operand);
    const auto own = values ? std::optional(static_cast<std::int64_t>(values->size()))
                            : context.size_count(operand);
    if (!own) {
      continue;
    }
    if (count && static_cast<std::int64_t>(*count) != *own) {
      return context.error(fmt::format(
          "{} has {} entries, another list {}",
          context.row().operands[static_cast<std::size_t>(operand)].field, *own, *count));
    }
    count = static_cast<std::size_t>(*own);
  }
  return count;
}

}  // namespace

Status infer_Slice(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::Slice::x);
  PLIANT_ASSIGN_OR_RETURN(const std::optional<std::size_t> count, common_count(context));
  const auto steps =
      context.given(isa::Slice::steps) ? context.sizes(isa::Slice::steps) : std::nullopt;
  if (steps && std::find(steps->begin(), steps->end(), Extent(0)) != steps->end()) {
    return context.error("a step is 0");
  }
  if (!x.rank_known) {
    context.set_unknown(isa::Slice::dst);
    return {};
  }
  if (count && *count > x.shape.size()) {
    return context.error(fmt::format("{} axes are sliced, x has rank {}", *count, x.shape.size()));
  }
  const bool has_axes = context.given(isa::Slice::axes);
  const auto given_axes = has_axes ? context.sizes(isa::Slice::axes) : std::nullopt;
  const auto axis_numbers = given_axes ? numbers_of(*given_axes) : std::nullopt;
  if (!count || (has_axes && !axis_numbers)) {
    context.set_rank(isa::Slice::dst, x.shape.size());
    return {};
  }
  std::vector<int> axes = first_axes(*count);
  if (has_axes) {
    PLIANT_ASSIGN_OR_RETURN(axes, distinct_axes(context, *axis_numbers, x.shape.size()));
  }
  const auto starts = context.sizes(isa::Slice::starts);
  const auto ends = context.sizes(isa::Slice::ends);
  const bool steps_known = steps || !context.given(isa::Slice::steps);
  ExtentShape shape = x.shape;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Extent& extent = shape[static_cast<std::size_t>(axes[i])];
    extent = starts && ends && steps_known
                 ? selected_extent(context, extent, (*starts)[i], (*ends)[i],
                                   steps ? (*steps)[i] : Extent(1))
                 : context.unknown_extent();
  }
  return context.set(isa::Slice::dst, shape);
}

namespace {

/// Extents of the parts: those given, equal ones with a smaller last, or unknown ones.
Result<ExtentList> part_extents(InferenceContext& context, const Extent& extent,
                                std::size_t count) {
  ExtentList parts;
  if (!context.given(isa::Split::sizes)) {
    const Extent part = ceil_divide(extent, static_cast<std::int64_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
      const Extent before = part * static_cast<std::int64_t>(i);
      parts.push_back(i == 0 ? part : minimum(part, maximum(extent - before, 0)));
    }
    return parts;
  }
  const auto sizes = context.sizes(isa::Split::sizes);
  const auto size_count = sizes ? std::optional(static_cast<std::int64_t>(sizes->size()))
                                : context.size_count(isa::Split::sizes);
  if (size_count && *size_count != static_cast<std::int64_t>(count)) {
    return context.error(fmt::format("{} sizes for {} parts", *size_count, count));
  }
  if (!sizes) {
    for (std::size_t i = 0; i < count; ++i) {
      parts.push_back(context.unknown_extent());
    }
    return parts;
  }
  Extent sum = 0;
  for (const Extent& size : *sizes) {
    if (size.is_number() && size.number() < 0) {
      return context.error(fmt::format("a part would have extent {}", size.number()));
    }
    sum = sum + size;
  }
  PLIANT_RETURN_IF_ERROR(
      context.require_equal(sum, extent, "the sum of the sizes", "the extent of x"));
  return *sizes;
}

}  // namespace

Status infer_Split(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::Split::x);
  const std::size_t count = context.operand(isa::Split::parts).list.size();
  if (count == 0) {
    return context.error("at least one part must be asked for");
  }
  if (!x.rank_known) {
    context.set_unknown(isa::Split::parts);
    return {};
  }
  PLIANT_ASSIGN_OR_RETURN(
      const int axis, context.normalise_axis(context.integer(isa::Split::axis), x.shape.size()));
  const auto position = static_cast<std::size_t>(axis);
  PLIANT_ASSIGN_OR_RETURN(const ExtentList extents,
                          part_extents(context, x.shape[position], count));
  for (std::size_t i = 0; i < count; ++i) {
    ExtentShape shape = x.shape;
    shape[position] = extents[i];
    PLIANT_RETURN_IF_ERROR(context.set_part(isa::Split::parts, static_cast<int>(i), shape));
  }
  return {};
}

}  // namespace pliant::semantics
