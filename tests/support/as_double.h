#pragma once

#include <cstdint>
#include <type_traits>

#include "base/half.h"

namespace pliant::testing {

/// An element of any type as a number to compare.
template <class T>
[[nodiscard]] double as_double(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return static_cast<double>(to_float(value));
  } else {
    return static_cast<double>(value);
  }
}

/// The element of a type that a number rounds to; integers wrap.
template <class T>
[[nodiscard]] T rounded(double value) {
  if constexpr (std::is_same_v<T, Half>) {
    return to_half(static_cast<float>(value));
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return to_bfloat16(static_cast<float>(value));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::int64_t>(value));
  } else {
    return static_cast<T>(value);
  }
}

}  // namespace pliant::testing
