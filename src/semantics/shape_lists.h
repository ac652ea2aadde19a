#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "semantics/inference_context.h"

namespace pliant::semantics {

// What rules ask of lists of extents and axes that come from operands.

/// Most parts of one CONCAT: a bound kernel carries them all in its arguments.
inline constexpr std::size_t kMaxConcatParts = 64;

/// Error when a result would have more than kMaxRank axes.
[[nodiscard]] Status check_rank(const InferenceContext& context, std::size_t rank);

/// The shape with these extents, or an error when there are too many.
[[nodiscard]] Result<ExtentShape> shape_from(const InferenceContext& context,
                                             const ExtentList& extents);

/// Sets a result from sizes that may be unknown: then as many axes as the list is long, or nothing.
[[nodiscard]] Status set_from_sizes(InferenceContext& context, int result, int sizes_operand);

/// The numbers of a list, or empty when one of them is not a number.
[[nodiscard]] std::optional<std::vector<std::int64_t>> numbers_of(const ExtentList& extents);

/// Axes in 0..rank-1, all different, or an error.
[[nodiscard]] Result<std::vector<int>> distinct_axes(const InferenceContext& context,
                                                     const std::vector<std::int64_t>& axes,
                                                     std::size_t rank);

/// 0, 1, … count-1.
[[nodiscard]] std::vector<int> first_axes(std::size_t count);

/// Product of extents.
[[nodiscard]] Extent product(const ExtentShape& shape, std::size_t begin, std::size_t end);
[[nodiscard]] inline Extent product(const ExtentShape& shape) {
  return product(shape, 0, shape.size());
}

/// Error when a tensor operand is known to have more or fewer elements than one.
[[nodiscard]] Status require_one_element(const InferenceContext& context, int operand,
                                         std::string_view field);

/// True when the value cannot be negative, given that extents are not.
[[nodiscard]] bool is_nonnegative(const Extent& extent);

}  // namespace pliant::semantics
