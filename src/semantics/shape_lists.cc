#include "semantics/shape_lists.h"

#include <fmt/format.h>

namespace pliant::semantics {

Status check_rank(const InferenceContext& context, std::size_t rank) {
  if (rank > kMaxRank) {
    return context.error(
        fmt::format("tensors have at most {} axes, the result would have {}", kMaxRank, rank));
  }
  return {};
}

Result<ExtentShape> shape_from(const InferenceContext& context, const ExtentList& extents) {
  PLIANT_RETURN_IF_ERROR(check_rank(context, extents.size()));
  return ExtentShape(std::span(extents));
}

Status set_from_sizes(InferenceContext& context, int result, int sizes_operand) {
  if (const auto extents = context.sizes(sizes_operand)) {
    PLIANT_ASSIGN_OR_RETURN(const ExtentShape shape, shape_from(context, *extents));
    return context.set(result, shape);
  }
  if (const auto count = context.size_count(sizes_operand)) {
    PLIANT_RETURN_IF_ERROR(check_rank(context, static_cast<std::size_t>(*count)));
    context.set_rank(result, static_cast<std::size_t>(*count));
  } else {
    context.set_unknown(result);
  }
  return {};
}

std::optional<std::vector<std::int64_t>> numbers_of(const ExtentList& extents) {
  std::vector<std::int64_t> numbers;
  for (const Extent& extent : extents) {
    if (!extent.is_number()) {
      return std::nullopt;
    }
    numbers.push_back(extent.number());
  }
  return numbers;
}

Result<std::vector<int>> distinct_axes(const InferenceContext& context,
                                       const std::vector<std::int64_t>& axes, std::size_t rank) {
  std::vector<int> result;
  InlineVector<bool, kMaxRank> seen(rank, false);
  for (const std::int64_t axis : axes) {
    PLIANT_ASSIGN_OR_RETURN(const int normalised, context.normalise_axis(axis, rank));
    if (seen[static_cast<std::size_t>(normalised)]) {
      return context.error(fmt::format("axis {} is given twice", normalised));
    }
    seen[static_cast<std::size_t>(normalised)] = true;
    result.push_back(normalised);
  }
  return result;
}

std::vector<int> first_axes(std::size_t count) {
  std::vector<int> axes;
  for (std::size_t i = 0; i < count; ++i) {
    axes.push_back(static_cast<int>(i));
  }
  return axes;
}

Extent product(const ExtentShape& shape, std::size_t begin, std::size_t end) {
  Extent result = 1;
  for (std::size_t i = begin; i < end; ++i) {
    if (shape[i].is(0)) {
      return 0;  // an empty tensor, however large the other extents are
    }
    result = result * shape[i];
  }
  return result;
}

Status require_one_element(const InferenceContext& context, int operand, std::string_view field) {
  const TensorFacts& facts = context.tensor(operand);
  if (facts.rank_known) {
    const Extent count = product(facts.shape);
    if (count.is_number() && !count.is(1)) {
      return context.error(
          fmt::format("{} must have one element, its shape is {}", field, to_string(facts.shape)));
    }
  }
  return {};
}

bool is_nonnegative(const Extent& extent) {
  if (extent.is_number()) {
    return extent.number() >= 0;
  }
  if (extent.is_overflow()) {
    return false;
  }
  const Expression& node = *extent.expression();
  switch (node.kind) {
    case ExpressionKind::kSymbol:
      return !node.any_sign;
    case ExpressionKind::kAdd:
    case ExpressionKind::kMultiply:
    case ExpressionKind::kMinimum:
    case ExpressionKind::kBroadcast:
    case ExpressionKind::kFloorDivide:
    case ExpressionKind::kQuotient:
      return is_nonnegative(node.lhs) && is_nonnegative(node.rhs);
    case ExpressionKind::kMaximum:
      return is_nonnegative(node.lhs) || is_nonnegative(node.rhs);
    case ExpressionKind::kModulo:
      return is_nonnegative(node.rhs);
    case ExpressionKind::kSubtract:
    case ExpressionKind::kFromEnd:
      break;
  }
  return false;
}

}  // namespace pliant::semantics
