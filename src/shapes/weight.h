#pragma once

#include <cstdint>
#include <limits>

namespace pliant::shapes {

/// a + b, or the greatest number where that does not fit: a weight says "much", not how much.
[[nodiscard]] constexpr std::uint64_t add_weights(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return a > kMost - b ? kMost : a + b;
}

}  // namespace pliant::shapes
