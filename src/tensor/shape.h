#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/inline_vector.h"

namespace pliant {

/// Tensors have at most this many axes; front ends refuse more with an error.
inline constexpr std::size_t kMaxRank = 8;

/// Extents of a tensor, outermost first; none for a 0-d tensor. Every extent is >= 0.
using Shape = InlineVector<std::int64_t, kMaxRank>;

/// Distance between neighbours along each axis, in elements. 0 repeats one element, negative runs
/// backwards.
using Strides = InlineVector<std::int64_t, kMaxRank>;

/// Product of the extents (1 for rank 0); empty when it does not fit into 63 bits.
[[nodiscard]] std::optional<std::int64_t> checked_element_count(const Shape& shape);

/// Product of extents that have been checked before.
[[nodiscard]] std::int64_t element_count(const Shape& shape);

/// Row-major strides without gaps. Extents of 0 count as 1, so strides stay meaningful.
[[nodiscard]] Strides contiguous_strides(const Shape& shape);

/// Strides without gaps whose axes lie in memory in the order of `order` (outermost first), for
/// example {0, 2, 3, 1} for a channels-last image.
[[nodiscard]] Strides permuted_strides(const Shape& shape, std::span<const int> order);

/// True when elements in row-major order are neighbours in memory. Axes of extent 1 do not matter.
[[nodiscard]] bool is_contiguous(const Shape& shape, const Strides& strides);

/// True when some order of the axes makes the tensor dense: no gaps, no repeats.
[[nodiscard]] bool is_dense(const Shape& shape, const Strides& strides);

/// "[2, 3]" for messages.
[[nodiscard]] std::string to_string(const Shape& shape);

}  // namespace pliant
