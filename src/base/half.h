#pragma once

#include <bit>
#include <cstdint>

#include <pliant/dtype.h>

namespace pliant {

/// Exact: every binary16 value is a binary32 value.
[[nodiscard]] inline float to_float(Half half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half.bits & 0x8000u) << 16;
  const std::uint32_t magnitude = half.bits & 0x7fffu;
  if (magnitude >= 0x7c00u) {  // infinity or NaN
    return std::bit_cast<float>(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
  }
  // Shift the fields into place and rebias by multiplying with 2^112; exact for subnormals too.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | sign);
}

/// Rounds to nearest, ties to even; overflow gives infinity; NaN stays a quiet NaN.
[[nodiscard]] inline Half to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint16_t sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {
    return Half{static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu))};
  }
  if (magnitude >= 0x47800000u) {  // 65536 and above, infinity
    return Half{static_cast<std::uint16_t>(sign | 0x7c00u)};
  }
  if (magnitude < 0x38800000u) {  // subnormal result: let the adder round at the right bit
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return Half{
        static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u))};
  }
  magnitude += 0xc8000fffu + ((magnitude >> 13) & 1u);  // rebias by -112, round to even
  return Half{static_cast<std::uint16_t>(sign | (magnitude >> 13))};
}

[[nodiscard]] inline float to_float(BFloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

/// Rounds to nearest, ties to even; NaN stays a quiet NaN.
[[nodiscard]] inline BFloat16 to_bfloat16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return BFloat16{static_cast<std::uint16_t>((bits >> 16) | 0x40u)};
  }
  return BFloat16{static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

}  // namespace pliant
