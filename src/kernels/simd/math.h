#pragma once

// Transcendental functions of f32 vectors, one description for every CPU level (see vector.h).
//
// Each reduces its argument to a short interval and evaluates a polynomial there. The coefficients
// are minimax fits of our own (Remez exchange in 40 digits, weighted for the relative error of the
// result, then rounded to f32). Source of the reductions: J.-M. Muller, "Elementary Functions",
// 3rd ed., 2016, chapters 9 and 11, doi:10.1007/978-1-4899-7983-4; for the logarithm's form also
// W. J. Cody and W. Waite, "Software Manual for the Elementary Functions", 1980.
//
// Errors were measured over dense samples of all magnitudes (kernels/elementwise/elementwise_test.cc
// repeats that). At the portable level, which cannot fuse a multiplication with an addition, they
// are a little larger. A lane's result depends on that lane alone.

#include "kernels/simd/vector.h"

namespace pliant::kernels::PLIANT_SIMD_LEVEL {

/// ((c0 * x + c1) * x + c2) …: highest power first.
template <class... Rest>
PLIANT_INLINE Float polynomial(Float x, float first, Rest... rest) {
  Float sum = broadcast(first);
  ((sum = fused_multiply_add(sum, x, broadcast(rest))), ...);
  return sum;
}

/// True when any lane of a comparison's result is set.
PLIANT_INLINE bool any(Int mask) {
#if defined(__AVX512F__)
  return _mm512_movepi32_mask(reinterpret_cast<__m512i>(mask)) != 0;
#elif defined(__AVX2__)
  return _mm256_movemask_ps(reinterpret_cast<__m256>(mask)) != 0;
#else
  return _mm_movemask_ps(reinterpret_cast<__m128>(mask)) != 0;
#endif
}

/// x * 2^n for -252 <= n <= 254, in two exact steps, so that subnormal results round only once.
PLIANT_INLINE Float scale_by_power_of_two(Float x, Int n) {
  const Int half = n >> 1;
  return x * as_float((half + 127) << 23) * as_float((n - half + 127) << 23);
}

/// x = n * ln 2 + r with |r| <= ln(2) / 2.
struct ReducedExponent {
  Float r;
  Float n;
};
PLIANT_INLINE ReducedExponent reduce_exponent(Float x) {
  const Float n = round_to_even(x * 1.44269504088896341f);
  // ln 2 in two parts; the first has 9 bits, so its product with n is exact.
  Float r = fused_multiply_add(n, broadcast(-0.693359375f), x);
  r = fused_multiply_add(n, broadcast(2.12194440054690583e-4f), r);
  return {r, n};
}
/// e^r - 1 for |r| <= ln(2) / 2.
PLIANT_INLINE Float reduced_exponential_minus_one(Float r) {
  const Float q = polynomial(r, 0.0013950324959f, 0.0083688150106f, 0.041666209169f, 0.16666519624f,
                             0.50000000935f);
  return fused_multiply_add(r * r, q, r);
}

/// e^x within 1.1 ulp: subnormal below -87.3, exactly 0 from -104 on, infinity above 88.72; NaN
/// stays.
PLIANT_INLINE Float exponential(Float x) {
  x = minimum(broadcast(89.0f), maximum(broadcast(-104.0f), x));  // in this order NaN passes
  const ReducedExponent reduced = reduce_exponent(x);
  return scale_by_power_of_two(reduced_exponential_minus_one(reduced.r) + 1.0f, to_int(reduced.n));
}

/// e^x - 1 within 3.5 ulp, also near 0; -1 far below 0, infinity above 88.72.
PLIANT_INLINE Float exponential_minus_one(Float x) {
  const Float clamped = minimum(broadcast(89.0f), maximum(broadcast(-104.0f), x));
  const ReducedExponent reduced = reduce_exponent(clamped);
  const Float small = reduced_exponential_minus_one(reduced.r);
  const Float large = scale_by_power_of_two(small + 1.0f, to_int(reduced.n)) - 1.0f;
  return select(x == 0.0f, x, select(reduced.n == 0.0f, small, large));
}

/// ln(1 + f) + exponent * ln 2 for sqrt(1/2) <= 1 + f <= sqrt(2), where f is exact.
PLIANT_INLINE Float reduced_logarithm(Float f, Float exponent) {
  // With s = f / (2 + f), ln(1 + f) = 2 s + s R(s^2) = f - (f^2/2 - s (f^2/2 + R)).
  const Float s = f / (f + 2.0f);
  const Float z = s * s;
  const Float remainder =
      z * polynomial(z, 0.23579727836f, 0.28537462259f, 0.40000332161f, 0.66666665663f);
  const Float half_square = f * f * 0.5f;
  const Float low =
      fused_multiply_add(s, half_square + remainder, exponent * -2.12194440054690583e-4f);
  return fused_multiply_add(exponent, broadcast(0.693359375f), f - (half_square - low));
}

/// ln x within 1.1 ulp, subnormals too: -infinity at 0, NaN below, infinity at infinity.
PLIANT_INLINE Float logarithm(Float x) {
  const Int subnormal = x < 1.17549435e-38f;
  const Float scaled = select(subnormal, x * 8388608.0f, x);
  // Moves the exponent's step from 1 to sqrt(1/2), so that the mantissa lies around 1.
  const Int shifted = as_int(absolute(scaled)) - 0x3f3504f3;
  const Float exponent = to_float((shifted >> 23) - select(subnormal, broadcast(23), Int{}));
  const Float mantissa = as_float((shifted & 0x007fffff) + 0x3f3504f3);
  const Float result = reduced_logarithm(mantissa - 1.0f, exponent);
  const Float infinity = broadcast(__builtin_inff());
  const Float outside =
      select(x == 0.0f, -infinity, select(x == infinity, infinity, broadcast(__builtin_nanf(""))));
  return select((x > 0.0f) & (x < infinity), result, outside);
}

/// ln(1 + x) within 1.5 ulp, also near 0: -infinity at -1, NaN below.
PLIANT_INLINE Float logarithm_of_one_plus(Float x) {
  // u = fl(1 + x); ln(1 + x) = ln(u) + (x - (u - 1)) / u to first order, and the difference is
  // exact.
  const Float u = x + 1.0f;
  const Float lost = select(x < 1.0f, x - (u - 1.0f), 1.0f - (u - x));
  const Float result = logarithm(u) + lost / u;
  const Int regular = (u > 0.0f) & (u < __builtin_inff());
  return select(x == 0.0f, x, select(regular, result, logarithm(u)));
}

/// tanh x within 1.5 ulp; exactly +-1 above 9.02, the sign of zero stays.
PLIANT_INLINE Float hyperbolic_tangent(Float x) {
  const Float magnitude = absolute(x);
  const Float z = x * x;
  const Float series = polynomial(z, -0.0057193609175f, 0.020653285718f, -0.053744585458f,
                                  0.13331508926f, -0.33333284865f);
  const Float small = fused_multiply_add(x * z, series, x);
  const Float large = 1.0f - 2.0f / (exponential(magnitude + magnitude) + 1.0f);
  return select(magnitude < 0.625f, small, copy_sign(large, x));
}

/// 1 / (1 + e^-x) within 2.5 ulp: 1 above 17, subnormal below -87.3, 0 below -104.
PLIANT_INLINE Float sigmoid(Float x) {
  const Float e =
      exponential(as_float(as_int(x) | static_cast<std::int32_t>(0x80000000)));  // e^-|x|
  return select(x < 0.0f, e, broadcast(1.0f)) / (e + 1.0f);
}

/// The error function within 1.5 ulp; exactly +-1 above 3.92, the sign of zero stays.
PLIANT_INLINE Float error_function(Float x) {
  const Float magnitude = absolute(x);
  const Float z = x * x;
  const Float series =
      polynomial(z, 7.4739267304e-5f, -0.00079159213312f, 0.0051796010668f, -0.026850115286f,
                 0.11283515111f, -0.37612621051f, 0.12837916521f);
  const Float small = fused_multiply_add(x, series, x);
  // erf = 1 - e^-q with q = -ln(erfc). Its relative error shrinks with erfc <= 0.2.
  const Float a = minimum(broadcast(4.0f), magnitude);
  const Float q =
      polynomial(a, 2.1095234827e-5f, -0.00043446457871f, 0.0041710717078f, -0.025119448106f,
                 0.10828011828f, 0.63334688286f, 1.1295149408f, -0.00017468633839f);
  const ReducedExponent reduced = reduce_exponent(-q);
  const Float tail = reduced_exponential_minus_one(reduced.r) + 1.0f;
  // -27 <= n <= 0, so one step scales.
  const Float large = 1.0f - tail * as_float((to_int(reduced.n) + 127) << 23);
  return select(magnitude < 0.93f, small, copy_sign(large, x));
}

/// Radians as quadrant * pi / 2 + r, |r| <= pi / 4. For |x| <= kLargestReducedAngle.
struct ReducedAngle {
  Float r;
  Int quadrant;
};
inline constexpr float kLargestReducedAngle = 8192.0f;
PLIANT_INLINE ReducedAngle reduce_angle(Float x) {
  const Float n = round_to_even(x * 0.636619772367581343f);
  // pi / 2 in four parts of at most 11 bits; |n| < 2^13, so the first products are exact.
  Float r = fused_multiply_add(n, broadcast(-0x1.92p0f), x);
  r = fused_multiply_add(n, broadcast(-0x1.fb4p-12f), r);
  r = fused_multiply_add(n, broadcast(-0x1.444p-24f), r);
  r = fused_multiply_add(n, broadcast(-0x1.68c234p-39f), r);
  return {r, to_int(n)};
}
PLIANT_INLINE Float reduced_sine(Float r) {
  const Float z = r * r;
  const Float series =
      polynomial(z, 2.7183414092e-6f, -0.00019839338843f, 0.0083333294025f, -0.16666666642f);
  return fused_multiply_add(r * z, series, r);
}
PLIANT_INLINE Float reduced_cosine(Float r) {
  const Float z = r * r;
  const Float series = polynomial(z, 2.4439395168e-5f, -0.0013887377173f, 0.041666647106f);
  return fused_multiply_add(z * z, series,
                            fused_multiply_add(z, broadcast(-0.5f), broadcast(1.0f)));
}
/// sin of the angle for quadrant 0, cos for 1, -sin for 2, -cos for 3.
PLIANT_INLINE Float sine_in_quadrant(Float r, Int quadrant) {
  const Float value = select((quadrant & 1) == 0, reduced_sine(r), reduced_cosine(r));
  return as_float(as_int(value) ^ ((quadrant & 2) << 30));
}

/// sin x within 2 ulp; lanes above 8192 go one by one through the C library.
PLIANT_INLINE Float sine(Float x) {
  const ReducedAngle reduced = reduce_angle(x);
  // Keeps -0 and tiny arguments exact.
  Float result = select(absolute(x) < 1e-4f, x - x * x * x * 0.166666667f,
                        sine_in_quadrant(reduced.r, reduced.quadrant));
  const Int large = absolute(x) > kLargestReducedAngle;
  if (__builtin_expect(any(large), 0)) {
    for (int lane = 0; lane < kWidth; ++lane) {
      if (large[lane] != 0) {
        result[lane] = static_cast<float>(__builtin_sin(static_cast<double>(x[lane])));
      }
    }
  }
  return result;
}

/// cos x; as sine().
PLIANT_INLINE Float cosine(Float x) {
  const ReducedAngle reduced = reduce_angle(x);
  Float result = sine_in_quadrant(reduced.r, reduced.quadrant + 1);
  const Int large = absolute(x) > kLargestReducedAngle;
  if (__builtin_expect(any(large), 0)) {
    for (int lane = 0; lane < kWidth; ++lane) {
      if (large[lane] != 0) {
        result[lane] = static_cast<float>(__builtin_cos(static_cast<double>(x[lane])));
      }
    }
  }
  return result;
}

}  // namespace pliant::kernels::PLIANT_SIMD_LEVEL
