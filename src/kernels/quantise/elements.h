#pragma once

#include <cstdint>

#include "tensor/dtype.h"

namespace pliant::kernels::quantise {

/// Elements are converted in stretches of this many between their own types and the one computed in.
inline constexpr std::int64_t kStretch = 256;

/// Reads `count` elements from position `at` of a tensor of any type that these rows have. `Number`: float,
/// double or std::int32_t.
template <class Number>
void read(DType dtype, const void* data, std::int64_t at, std::int64_t count, Number* to);

/// Writes them, rounded once where the type is narrower; integers must be in range.
template <class Number>
void write(DType dtype, const Number* from, std::int64_t count, void* data, std::int64_t at);

/// Smallest and largest number of u8, i8, u16 and i16.
struct IntegerRange {
  std::int32_t least = 0;
  std::int32_t most = 0;
};
[[nodiscard]] IntegerRange integer_range(DType dtype);

}  // namespace pliant::kernels::quantise
