#pragma once

#include <bit>
#include <cstdint>

namespace pliant::memory {

/// Element counts are rounded up to m * 2^e with m in 4..7 (and to 16 at least), so a block is at
/// most 25 % larger than what was asked for and there are four classes per power of two.
[[nodiscard]] constexpr std::int64_t class_element_count(std::int64_t element_count) {
  constexpr std::int64_t kSmallest = 16;
  if (element_count <= kSmallest) {
    return kSmallest;
  }
  const int width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(element_count - 1)));
  const int exponent = width - 3;
  const std::int64_t step = std::int64_t{1} << exponent;
  return (element_count + step - 1) / step * step;
}

}  // namespace pliant::memory
