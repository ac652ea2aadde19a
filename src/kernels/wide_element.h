#pragma once

#include <cstdint>
#include <type_traits>

#include "base/half.h"

namespace pliant::kernels {

// Elements as numbers to compute with: f16 and bf16 as f32, f32 and f64 as they are, small integers
// as i32. Results are rounded once, when they are stored.

[[nodiscard]] inline float widen(Half value) {
  return to_float(value);
}
[[nodiscard]] inline float widen(BFloat16 value) {
  return to_float(value);
}
[[nodiscard]] inline float widen(float value) {
  return value;
}
[[nodiscard]] inline double widen(double value) {
  return value;
}
[[nodiscard]] inline std::int32_t widen(std::uint8_t value) {
  return value;
}
[[nodiscard]] inline std::int32_t widen(std::int8_t value) {
  return value;
}
[[nodiscard]] inline std::int32_t widen(std::int32_t value) {
  return value;
}

template <class T>
using Widened = decltype(widen(T{}));

/// The element nearest to a wide value.
template <class T>
[[nodiscard]] T narrow(Widened<T> value) {
  if constexpr (std::is_same_v<T, Half>) {
    return to_half(value);
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return to_bfloat16(value);
  } else {
    return static_cast<T>(value);
  }
}

}  // namespace pliant::kernels
