#include <immintrin.h>

#include "kernels/elementwise/half_conversion.h"

namespace pliant::kernels::avx2 {
namespace {

constexpr std::int64_t kLanes = 8;

__m256 widen_f16(__m128i halves) {
  return _mm256_cvtph_ps(halves);
}
__m128i narrow_f16(__m256 floats) {
  return _mm256_cvtps_ph(floats, _MM_FROUND_TO_NEAREST_INT);
}

__m256 widen_bf16(__m128i halves) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}
/// To nearest, ties to even; NaN stays a quiet NaN.
__m128i narrow_bf16(__m256 floats) {
  const __m256i bits = _mm256_castps_si256(floats);
  const __m256i upper = _mm256_srli_epi32(bits, 16);
  const __m256i odd = _mm256_and_si256(upper, _mm256_set1_epi32(1));
  const __m256i rounding = _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff));
  const __m256i rounded = _mm256_srli_epi32(_mm256_add_epi32(bits, rounding), 16);
  const __m256i quiet = _mm256_or_si256(upper, _mm256_set1_epi32(0x40));
  const __m256i is_nan = _mm256_castps_si256(_mm256_cmp_ps(floats, floats, _CMP_UNORD_Q));
  const __m256i result = _mm256_blendv_epi8(rounded, quiet, is_nan);
  const __m256i packed = _mm256_packus_epi32(result, result);
  return _mm_unpacklo_epi64(_mm256_castsi256_si128(packed), _mm256_extracti128_si256(packed, 1));
}

using Widen = __m256 (*)(__m128i);
using Narrow = __m128i (*)(__m256);

template <Widen kWiden>
void widen_strip(const DenseStrip& strip) {
  const std::uint16_t* from = static_cast<const std::uint16_t*>(strip.inputs[0]);
  float* to = static_cast<float*>(strip.result);
  std::int64_t i = 0;
  for (; i + kLanes <= strip.count; i += kLanes) {
    _mm256_storeu_ps(to + i, kWiden(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
  }
  if (i < strip.count) {
    const auto rest = static_cast<std::size_t>(strip.count - i);
    std::uint16_t last[kLanes] = {};
    float wide[kLanes];
    __builtin_memcpy(last, from + i, rest * sizeof *last);
    _mm256_storeu_ps(wide, kWiden(_mm_loadu_si128(reinterpret_cast<const __m128i*>(last))));
    __builtin_memcpy(to + i, wide, rest * sizeof *wide);
  }
}
template <Narrow kNarrow>
void narrow_strip(const DenseStrip& strip) {
  const float* from = static_cast<const float*>(strip.inputs[0]);
  std::uint16_t* to = static_cast<std::uint16_t*>(strip.result);
  std::int64_t i = 0;
  for (; i + kLanes <= strip.count; i += kLanes) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), kNarrow(_mm256_loadu_ps(from + i)));
  }
  if (i < strip.count) {
    const auto rest = static_cast<std::size_t>(strip.count - i);
    float last[kLanes] = {};
    std::uint16_t narrow[kLanes];
    __builtin_memcpy(last, from + i, rest * sizeof *last);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(narrow), kNarrow(_mm256_loadu_ps(last)));
    __builtin_memcpy(to + i, narrow, rest * sizeof *narrow);
  }
}

}  // namespace

DenseLoop half_conversion(DType from, DType to) {
  if (from == DType::kF16 && to == DType::kF32) {
    return &widen_strip<widen_f16>;
  }
  if (from == DType::kF32 && to == DType::kF16) {
    return &narrow_strip<narrow_f16>;
  }
  if (from == DType::kBF16 && to == DType::kF32) {
    return &widen_strip<widen_bf16>;
  }
  return from == DType::kF32 && to == DType::kBF16 ? &narrow_strip<narrow_bf16> : nullptr;
}

}  // namespace pliant::kernels::avx2
