#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace pliant::shapes {

/// Whole numbers from `low` to `high`, both included. The least and the greatest number that there
/// is stand for "no bound".
struct Interval {
  static constexpr std::int64_t kNoLow = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kNoHigh = std::numeric_limits<std::int64_t>::max();

  std::int64_t low = kNoLow;
  std::int64_t high = kNoHigh;

  [[nodiscard]] static constexpr Interval exactly(std::int64_t value) { return {value, value}; }
  [[nodiscard]] static constexpr Interval any_extent() { return {0, kNoHigh}; }
  [[nodiscard]] static constexpr Interval any_value() { return {kNoLow, kNoHigh}; }

  [[nodiscard]] constexpr bool contains(std::int64_t value) const {
    return low <= value && value <= high;
  }
  [[nodiscard]] constexpr bool is_exact() const { return low == high; }

  /// How many numbers lie inside beyond the first; 0 when exact. Cannot overflow.
  [[nodiscard]] constexpr std::uint64_t width() const {
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  }

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison with 0 for a pointer
  friend constexpr auto operator<=>(const Interval&, const Interval&) = default;
};

}  // namespace pliant::shapes
