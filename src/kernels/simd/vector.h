#pragma once

// A vector of f32 as wide as the CPU level that this file is compiled for. A kernel that is the
// same for every level is written once in a `*_kernel.inl.h` file and included by three sources
// (`*_portable.cc`, `*_avx2.cc`, `*_avx512.cc`); the build gives each its own compiler flags.
//
// Everything here lives in a namespace named after the level, and is always inlined, so that the
// linker can never mix levels. No standard library templates in code that uses this.

#include <immintrin.h>

#include <cstdint>

#if defined(__AVX512F__)
#define PLIANT_SIMD_LEVEL avx512
#elif defined(__AVX2__)
#define PLIANT_SIMD_LEVEL avx2
#else
#define PLIANT_SIMD_LEVEL portable
#endif

#define PLIANT_INLINE inline __attribute__((always_inline))

namespace pliant::kernels::PLIANT_SIMD_LEVEL {

#if defined(__AVX512F__)
inline constexpr int kWidth = 16;
#elif defined(__AVX2__)
inline constexpr int kWidth = 8;
#else
inline constexpr int kWidth = 4;
#endif

// The compiler's own vectors: + - * / and comparisons work lane by lane at every width.
using Float = float __attribute__((vector_size(kWidth * 4)));
using Int = std::int32_t __attribute__((vector_size(kWidth * 4)));

// Minus zero, because adding it would turn -0 into 0 and cost an instruction.
PLIANT_INLINE Float broadcast(float value) {
  return value - Float{};
}
PLIANT_INLINE Int broadcast(std::int32_t value) {
  return Int{} + value;
}

PLIANT_INLINE Float load(const float* from) {
  Float value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
PLIANT_INLINE void store(float* to, Float value) {
  __builtin_memcpy(to, &value, sizeof value);
}

PLIANT_INLINE Float as_float(Int bits) {
  return reinterpret_cast<Float>(bits);
}
PLIANT_INLINE Int as_int(Float value) {
  return reinterpret_cast<Int>(value);
}

/// Lanes [0, count) from memory, the others `fill`; nothing past `count` is read. 0 <= count <=
/// kWidth.
PLIANT_INLINE Float load_partial(const float* from, std::int64_t count, float fill = 0.0f) {
#if defined(__AVX512F__)
  const __mmask16 mask = static_cast<__mmask16>((1u << count) - 1u);
  return reinterpret_cast<Float>(_mm512_mask_loadu_ps(_mm512_set1_ps(fill), mask, from));
#elif defined(__AVX2__)
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lane);
  const __m256 value = _mm256_maskload_ps(from, mask);
  return reinterpret_cast<Float>(
      _mm256_blendv_ps(_mm256_set1_ps(fill), value, _mm256_castsi256_ps(mask)));
#else
  Float value = broadcast(fill);
  for (std::int64_t i = 0; i < count; ++i) {
    value[i] = from[i];
  }
  return value;
#endif
}

/// Writes lanes [0, count) and nothing else.
PLIANT_INLINE void store_partial(float* to, Float value, std::int64_t count) {
#if defined(__AVX512F__)
  const __mmask16 mask = static_cast<__mmask16>((1u << count) - 1u);
  _mm512_mask_storeu_ps(to, mask, reinterpret_cast<__m512>(value));
#elif defined(__AVX2__)
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lane);
  _mm256_maskstore_ps(to, mask, reinterpret_cast<__m256>(value));
#else
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = value[i];
  }
#endif
}

/// a * b + c, rounded once where the CPU can, twice at the portable level.
PLIANT_INLINE Float fused_multiply_add(Float a, Float b, Float c) {
#if defined(__AVX512F__)
  return reinterpret_cast<Float>(_mm512_fmadd_ps(
      reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
#elif defined(__AVX2__)
  return reinterpret_cast<Float>(_mm256_fmadd_ps(
      reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
#else
  return a * b + c;
#endif
}

/// Lane-wise choice; `mask` lanes are all ones or all zeros, as comparisons give them.
PLIANT_INLINE Float select(Int mask, Float yes, Float no) {
  return mask ? yes : no;
}
PLIANT_INLINE Int select(Int mask, Int yes, Int no) {
  return mask ? yes : no;
}

/// The larger; `b` where either is NaN (as the instruction does). See nan_max for ONNX Max.
PLIANT_INLINE Float maximum(Float a, Float b) {
  return a > b ? a : b;
}
PLIANT_INLINE Float minimum(Float a, Float b) {
  return a < b ? a : b;
}

/// NaN if either is NaN.
PLIANT_INLINE Float nan_maximum(Float a, Float b) {
  return ((a > b) | (a != a)) ? a : b;
}
PLIANT_INLINE Float nan_minimum(Float a, Float b) {
  return ((a < b) | (a != a)) ? a : b;
}

PLIANT_INLINE Float absolute(Float x) {
  return as_float(as_int(x) & 0x7fffffff);
}
PLIANT_INLINE Float copy_sign(Float magnitude, Float sign) {
  return as_float((as_int(magnitude) & 0x7fffffff) |
                  (as_int(sign) & static_cast<std::int32_t>(0x80000000)));
}

/// Square root, correctly rounded.
PLIANT_INLINE Float square_root(Float x) {
#if defined(__AVX512F__)
  return reinterpret_cast<Float>(_mm512_sqrt_ps(reinterpret_cast<__m512>(x)));
#elif defined(__AVX2__)
  return reinterpret_cast<Float>(_mm256_sqrt_ps(reinterpret_cast<__m256>(x)));
#else
  return reinterpret_cast<Float>(_mm_sqrt_ps(reinterpret_cast<__m128>(x)));
#endif
}

/// To the nearest integer, ties to even; any magnitude, keeps NaN, infinities and the sign of zero.
PLIANT_INLINE Float round_to_even(Float x) {
#if defined(__AVX512F__)
  return reinterpret_cast<Float>(_mm512_roundscale_ps(reinterpret_cast<__m512>(x), 8));
#elif defined(__AVX2__)
  return reinterpret_cast<Float>(_mm256_round_ps(reinterpret_cast<__m256>(x), 8));
#else
  // Adding 2^23 pushes the fraction out; larger magnitudes are integers already.
  const Float magnitude = absolute(x);
  const Float rounded = (magnitude + 8388608.0f) - 8388608.0f;
  return select(magnitude < 8388608.0f, copy_sign(rounded, x), x);
#endif
}

PLIANT_INLINE Float floor(Float x) {
  const Float rounded = round_to_even(x);
  return copy_sign(rounded - select(rounded > x, broadcast(1.0f), Float{}), x);
}
PLIANT_INLINE Float ceil(Float x) {
  const Float rounded = round_to_even(x);
  return copy_sign(rounded + select(rounded < x, broadcast(1.0f), Float{}), x);
}

/// Truncates; the lanes must be within the range of i32.
PLIANT_INLINE Int to_int(Float x) {
  return __builtin_convertvector(x, Int);
}
PLIANT_INLINE Float to_float(Int x) {
  return __builtin_convertvector(x, Float);
}

// Horizontal steps: one fixed order, so a row's bits depend on its length alone.
PLIANT_INLINE float reduce_add(Float x) {
  for (int half = kWidth / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) {
      x[i] += x[i + half];
    }
  }
  return x[0];
}

}  // namespace pliant::kernels::PLIANT_SIMD_LEVEL
