#pragma once

#include <cstdint>

namespace pliant {

/// a / b, rounded up; a >= 0, b > 0.
[[nodiscard]] constexpr std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// The least multiple of b that is not below a.
[[nodiscard]] constexpr std::int64_t round_up(std::int64_t a, std::int64_t b) {
  return ceil_divide(a, b) * b;
}

}  // namespace pliant
