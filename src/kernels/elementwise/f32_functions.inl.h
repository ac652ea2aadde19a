#pragma once

// Vectorised f32 forms of the functions in kernels.inc; scalar_functions.h says what they
// compute. Included by the files of one CPU level each.

#include "kernels/elementwise/elementwise.h"
#include "kernels/simd/math.h"

namespace pliant::kernels::PLIANT_SIMD_LEVEL {

/// The attributes of a strip, spread over the lanes.
struct F32Attributes {
  Float alpha;
  Float beta;
};

#define F32_FUNCTION_1(Name)                                                    \
  struct Name {                                                                 \
    static PLIANT_INLINE Float apply(Float x, const F32Attributes& attributes); \
  };                                                                            \
  PLIANT_INLINE Float Name::apply(Float x, [[maybe_unused]] const F32Attributes& attributes)
#define F32_FUNCTION_2(Name)                                                             \
  struct Name {                                                                          \
    static PLIANT_INLINE Float apply(Float a, Float b, const F32Attributes& attributes); \
  };                                                                                     \
  PLIANT_INLINE Float Name::apply(Float a, Float b,                                      \
                                  [[maybe_unused]] const F32Attributes& attributes)
#define F32_FUNCTION_3(Name)                                                                      \
  struct Name {                                                                                   \
    static PLIANT_INLINE Float apply(Float a, Float b, Float c, const F32Attributes& attributes); \
  };                                                                                              \
  PLIANT_INLINE Float Name::apply(Float a, Float b, Float c,                                      \
                                  [[maybe_unused]] const F32Attributes& attributes)

/// 0 below 0, 1 above 1, NaN stays.
PLIANT_INLINE Float unit_clamp(Float x) {
  return minimum(broadcast(1.0f), maximum(broadcast(0.0f), x));
}
/// max(x, 0); NaN stays.
PLIANT_INLINE Float positive_part(Float x) {
  return maximum(broadcast(0.0f), x);
}

F32_FUNCTION_1(Negate) {
  return -x;
}
F32_FUNCTION_1(Absolute) {
  return absolute(x);
}
F32_FUNCTION_1(SquareRoot) {
  return square_root(x);
}
F32_FUNCTION_1(Reciprocal) {
  return 1.0f / x;
}
F32_FUNCTION_1(Exponential) {
  return exponential(x);
}
F32_FUNCTION_1(Logarithm) {
  return logarithm(x);
}
F32_FUNCTION_1(ErrorFunction) {
  return error_function(x);
}
F32_FUNCTION_1(HyperbolicTangent) {
  return hyperbolic_tangent(x);
}
F32_FUNCTION_1(Sigmoid) {
  return sigmoid(x);
}
F32_FUNCTION_1(Relu) {
  return positive_part(x);
}
F32_FUNCTION_1(LeakyRelu) {
  return select(x >= 0.0f, x, attributes.alpha * x);
}
F32_FUNCTION_1(HardSigmoid) {
  return unit_clamp(attributes.alpha * x + attributes.beta);
}
F32_FUNCTION_1(HardSwish) {
  return x * unit_clamp(x / 6.0f + 0.5f);
}
F32_FUNCTION_1(Elu) {
  return select(x >= 0.0f, x, attributes.alpha * exponential_minus_one(x));
}
F32_FUNCTION_1(Selu) {
  return attributes.beta * select(x > 0.0f, x, attributes.alpha * exponential_minus_one(x));
}
F32_FUNCTION_1(Celu) {
  const Float below = attributes.alpha * exponential_minus_one(x / attributes.alpha);
  return positive_part(x) + minimum(broadcast(0.0f), below);
}
F32_FUNCTION_1(Gelu) {
  const Float half = x * 0.5f;
  return fused_multiply_add(half, error_function(x * 0.70710678118654752f), half);
}
F32_FUNCTION_1(GeluTanh) {
  const Float inner =
      0.79788456080286536f * x * fused_multiply_add(x * x, broadcast(0.044715f), broadcast(1.0f));
  const Float half = x * 0.5f;
  return fused_multiply_add(half, hyperbolic_tangent(inner), half);
}
F32_FUNCTION_1(Softplus) {
  return positive_part(x) + logarithm_of_one_plus(exponential(-absolute(x)));
}
F32_FUNCTION_1(Softsign) {
  return x / (absolute(x) + 1.0f);
}
F32_FUNCTION_1(ThresholdedRelu) {
  return select((x > attributes.alpha) | (x != x), x, Float{});
}
F32_FUNCTION_1(Mish) {
  // tanh(ln(1 + e)) = ((1 + e)^2 - 1) / ((1 + e)^2 + 1) with e = e^x; multiplied out, nothing
  // cancels. From 20 on the quotient is 1, and e^2 stays finite.
  const Float e = exponential(minimum(broadcast(20.0f), x));
  const Float numerator = e * (e + 2.0f);
  return x * select(x != x, x, numerator / (numerator + 2.0f));
}
F32_FUNCTION_1(Swish) {
  return x * sigmoid(attributes.alpha * x);
}
F32_FUNCTION_1(Shrink) {
  const Float inside = select(x != x, x, Float{});
  const Float above = select(x > attributes.alpha, x - attributes.beta, inside);
  return select(x < -attributes.alpha, x + attributes.beta, above);
}
F32_FUNCTION_1(Sine) {
  return sine(x);
}
F32_FUNCTION_1(Cosine) {
  return cosine(x);
}
F32_FUNCTION_1(Tangent) {
  return sine(x) / cosine(x);
}
F32_FUNCTION_1(HyperbolicSine) {
  // (m + m / (m + 1)) / 2 with m = e^|x| - 1 keeps small arguments exact; halving first avoids
  // overflow before the result does.
  const Float magnitude = absolute(x);
  const Float m = exponential_minus_one(magnitude);
  const Float moderate = 0.5f * (m + m / (m + 1.0f));
  const Float half = exponential(magnitude * 0.5f);
  return copy_sign(select(magnitude > 80.0f, half * 0.5f * half, moderate), x);
}
F32_FUNCTION_1(HyperbolicCosine) {
  const Float half = exponential(absolute(x) * 0.5f);
  const Float e = exponential(absolute(x));
  return select(absolute(x) > 80.0f, half * 0.5f * half, 0.5f * (e + 1.0f / e));
}
F32_FUNCTION_1(Floor) {
  return floor(x);
}
F32_FUNCTION_1(Ceiling) {
  return ceil(x);
}
F32_FUNCTION_1(Round) {
  return round_to_even(x);
}
F32_FUNCTION_1(Sign) {
  const Float negative = select(x < 0.0f, broadcast(-1.0f), select(x == 0.0f, Float{}, x));
  return select(x > 0.0f, broadcast(1.0f), negative);
}

F32_FUNCTION_2(Add) {
  return a + b;
}
F32_FUNCTION_2(Subtract) {
  return a - b;
}
F32_FUNCTION_2(Multiply) {
  return a * b;
}
F32_FUNCTION_2(Divide) {
  return a / b;
}
F32_FUNCTION_2(Minimum) {
  return nan_minimum(a, b);
}
F32_FUNCTION_2(Maximum) {
  return nan_maximum(a, b);
}
F32_FUNCTION_2(PRelu) {
  return select(a >= 0.0f, a, a * b);
}

F32_FUNCTION_3(Clip) {
  return nan_minimum(nan_maximum(a, b), c);
}
F32_FUNCTION_3(MultiplyAdd) {
  return fused_multiply_add(a, b, c);
}

#undef F32_FUNCTION_1
#undef F32_FUNCTION_2
#undef F32_FUNCTION_3

}  // namespace pliant::kernels::PLIANT_SIMD_LEVEL
