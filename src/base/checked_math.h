#pragma once

#include <cstdint>
#include <optional>

namespace pliant {

/// A product of sizes that come from outside; empty on overflow of 64 bits.
[[nodiscard]] inline std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

}  // namespace pliant
