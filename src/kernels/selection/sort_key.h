#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/half.h"

namespace pliant::kernels {

/// An unsigned number that orders as the values do: equal values have equal keys (-0 and 0 too),
/// and every NaN has the largest key.
template <class T>
std::uint64_t sort_key(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return sort_key(to_float(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
    if (value != value) {
      return std::numeric_limits<std::uint64_t>::max();
    }
    const Bits bits = std::bit_cast<Bits>(value + T{0});  // -0 becomes 0
    return (bits & kSign) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | kSign);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) ^ (std::uint64_t{1} << 63);
  } else {
    return static_cast<std::uint64_t>(value);
  }
}

}  // namespace pliant::kernels
