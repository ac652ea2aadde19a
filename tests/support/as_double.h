#pragma once

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

}  // namespace pliant::testing
