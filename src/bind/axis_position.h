#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant::bind {

/// An axis in -rank..rank-1, checked before, as a position.
[[nodiscard]] inline std::size_t axis_position(std::int64_t axis, std::size_t rank) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

}  // namespace pliant::bind
