#pragma once

// What each elementwise function computes, on one element of the type it computes in (never f16 or
// bf16). These are the loops of f64 and of integers, and what the vectorised f32 forms are tested
// against. Only *_portable.cc includes this.

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/elementwise/elementwise.h"

namespace pliant::kernels::elementwise_functions {

struct Attributes {
  double alpha;
  double beta;
};

/// Unsigned, and not narrower than int: arithmetic in it wraps.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) <= 4), std::uint32_t, std::uint64_t>;
template <class T>
constexpr Wrapping<T> wrapping(T x) {
  return static_cast<Wrapping<T>>(x);
}

// UNARY_FUNCTION(Name) { body }: a struct Name with a static template apply().
#define UNARY_FUNCTION(Name)                              \
  struct Name {                                           \
    template <class T>                                    \
    static auto apply(T x, const Attributes& attributes); \
  };                                                      \
  template <class T>                                      \
  auto Name::apply([[maybe_unused]] T x, [[maybe_unused]] const Attributes& attributes)
#define BINARY_FUNCTION(Name)                                  \
  struct Name {                                                \
    template <class T>                                         \
    static auto apply(T a, T b, const Attributes& attributes); \
  };                                                           \
  template <class T>                                           \
  auto Name::apply(T a, T b, [[maybe_unused]] const Attributes& attributes)

UNARY_FUNCTION(Negate) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(Wrapping<T>{0} - wrapping(x));
  } else {
    return -x;
  }
}
UNARY_FUNCTION(Absolute) {
  if constexpr (std::is_integral_v<T>) {
    return x < T{0} ? static_cast<T>(Wrapping<T>{0} - wrapping(x)) : x;
  } else {
    return std::fabs(x);
  }
}
UNARY_FUNCTION(SquareRoot) {
  return std::sqrt(x);
}
UNARY_FUNCTION(Reciprocal) {
  return T{1} / x;
}
UNARY_FUNCTION(Exponential) {
  return std::exp(x);
}
UNARY_FUNCTION(Logarithm) {
  return std::log(x);
}
UNARY_FUNCTION(ErrorFunction) {
  return std::erf(x);
}
UNARY_FUNCTION(HyperbolicTangent) {
  return std::tanh(x);
}
UNARY_FUNCTION(Sigmoid) {
  const T e = std::exp(-std::fabs(x));
  return (x < T{0} ? e : T{1}) / (T{1} + e);
}
UNARY_FUNCTION(Relu) {
  return x < T{0} ? T{0} : x;
}
UNARY_FUNCTION(LeakyRelu) {
  return x >= T{0} ? x : static_cast<T>(attributes.alpha) * x;
}
UNARY_FUNCTION(HardSigmoid) {
  const T y = static_cast<T>(attributes.alpha) * x + static_cast<T>(attributes.beta);
  return y < T{0} ? T{0} : (y > T{1} ? T{1} : y);
}
UNARY_FUNCTION(HardSwish) {
  const T y = x / T{6} + T{0.5};
  return x * (y < T{0} ? T{0} : (y > T{1} ? T{1} : y));
}
UNARY_FUNCTION(Elu) {
  return x >= T{0} ? x : static_cast<T>(attributes.alpha) * std::expm1(x);
}
UNARY_FUNCTION(Selu) {
  return static_cast<T>(attributes.beta) *
         (x > T{0} ? x : static_cast<T>(attributes.alpha) * std::expm1(x));
}
UNARY_FUNCTION(Celu) {
  const T alpha = static_cast<T>(attributes.alpha);
  const T below = alpha * std::expm1(x / alpha);
  return (x < T{0} ? T{0} : x) + (below > T{0} ? T{0} : below);
}
UNARY_FUNCTION(Gelu) {
  return x * T{0.5} * (T{1} + std::erf(x * static_cast<T>(0.70710678118654752440)));
}
UNARY_FUNCTION(GeluTanh) {
  const T inner =
      static_cast<T>(0.79788456080286535588) * (x + static_cast<T>(0.044715) * x * x * x);
  return x * T{0.5} * (T{1} + std::tanh(inner));
}
UNARY_FUNCTION(Softplus) {
  return (x < T{0} ? T{0} : x) + std::log1p(std::exp(-std::fabs(x)));
}
UNARY_FUNCTION(Softsign) {
  return x / (T{1} + std::fabs(x));
}
UNARY_FUNCTION(ThresholdedRelu) {
  return x > static_cast<T>(attributes.alpha) || x != x ? x : T{0};
}
UNARY_FUNCTION(Mish) {
  return x * std::tanh(Softplus::apply(x, attributes));
}
UNARY_FUNCTION(Swish) {
  return x * Sigmoid::apply(static_cast<T>(attributes.alpha) * x, attributes);
}
UNARY_FUNCTION(Shrink) {
  const T alpha = static_cast<T>(attributes.alpha);
  const T beta = static_cast<T>(attributes.beta);
  return x < -alpha ? x + beta : (x > alpha ? x - beta : (x != x ? x : T{0}));
}
UNARY_FUNCTION(Sine) {
  return std::sin(x);
}
UNARY_FUNCTION(Cosine) {
  return std::cos(x);
}
UNARY_FUNCTION(Tangent) {
  return std::tan(x);
}
UNARY_FUNCTION(ArcSine) {
  return std::asin(x);
}
UNARY_FUNCTION(ArcCosine) {
  return std::acos(x);
}
UNARY_FUNCTION(ArcTangent) {
  return std::atan(x);
}
UNARY_FUNCTION(HyperbolicSine) {
  return std::sinh(x);
}
UNARY_FUNCTION(HyperbolicCosine) {
  return std::cosh(x);
}
UNARY_FUNCTION(AreaHyperbolicSine) {
  return std::asinh(x);
}
UNARY_FUNCTION(AreaHyperbolicCosine) {
  return std::acosh(x);
}
UNARY_FUNCTION(AreaHyperbolicTangent) {
  return std::atanh(x);
}
UNARY_FUNCTION(Floor) {
  return std::floor(x);
}
UNARY_FUNCTION(Ceiling) {
  return std::ceil(x);
}
UNARY_FUNCTION(Round) {
  return std::nearbyint(x);
}
UNARY_FUNCTION(Sign) {
  if constexpr (std::is_floating_point_v<T>) {
    return x > T{0} ? T{1} : (x < T{0} ? T{-1} : (x == T{0} ? T{0} : x));
  } else {
    return static_cast<T>(static_cast<int>(x > T{0}) - static_cast<int>(x < T{0}));
  }
}
UNARY_FUNCTION(Not) {
  return !x;
}
UNARY_FUNCTION(BitwiseNot) {
  return static_cast<T>(~wrapping(x));
}
UNARY_FUNCTION(IsNan) {
  return x != x;
}
UNARY_FUNCTION(IsInf) {
  return std::fabs(x) == std::numeric_limits<T>::infinity();
}
UNARY_FUNCTION(IsPositiveInfinity) {
  return x == std::numeric_limits<T>::infinity();
}
UNARY_FUNCTION(IsNegativeInfinity) {
  return x == -std::numeric_limits<T>::infinity();
}
UNARY_FUNCTION(IsNeitherInfinity) {
  static_cast<void>(x);
  return false;
}

#define WRAPPING_FUNCTION(Name, op)                      \
  BINARY_FUNCTION(Name) {                                \
    if constexpr (std::is_integral_v<T>) {               \
      return static_cast<T>(wrapping(a) op wrapping(b)); \
    } else {                                             \
      return a op b;                                     \
    }                                                    \
  }
WRAPPING_FUNCTION(Add, +)
WRAPPING_FUNCTION(Subtract, -)
WRAPPING_FUNCTION(Multiply, *)
#undef WRAPPING_FUNCTION
BINARY_FUNCTION(Divide) {
  if constexpr (std::is_integral_v<T>) {
    if (b == T{0}) {
      return T{0};
    }
    if constexpr (std::is_signed_v<T>) {
      if (b == T{-1}) {  // the lowest number has no counterpart: it wraps
        return static_cast<T>(Wrapping<T>{0} - wrapping(a));
      }
    }
    return static_cast<T>(a / b);
  } else {
    return a / b;
  }
}
/// Sign of the dividend, as C's fmod.
BINARY_FUNCTION(Remainder) {
  if constexpr (std::is_integral_v<T>) {
    if constexpr (std::is_signed_v<T>) {
      if (b == T{-1}) {
        return T{0};
      }
    }
    return b == T{0} ? T{0} : static_cast<T>(a % b);
  } else {
    return std::fmod(a, b);
  }
}
/// Sign of the divisor, as Python's %.
BINARY_FUNCTION(Modulo) {
  const T remainder = Remainder::apply(a, b, attributes);
  if constexpr (std::is_floating_point_v<T>) {
    if (remainder == T{0}) {
      return std::copysign(remainder, b);
    }
  }
  return remainder != T{0} && (remainder < T{0}) != (b < T{0}) ? static_cast<T>(remainder + b)
                                                               : remainder;
}
BINARY_FUNCTION(Minimum) {
  return a < b || a != a ? a : b;
}
BINARY_FUNCTION(Maximum) {
  return a > b || a != a ? a : b;
}
BINARY_FUNCTION(PRelu) {
  if constexpr (std::is_integral_v<T>) {
    return a >= T{0} ? a : static_cast<T>(wrapping(a) * wrapping(b));
  } else {
    return a >= T{0} ? a : a * b;
  }
}
BINARY_FUNCTION(And) {
  return a && b;
}
BINARY_FUNCTION(Or) {
  return a || b;
}
BINARY_FUNCTION(Xor) {
  return a != b;
}
BINARY_FUNCTION(BitwiseAnd) {
  return static_cast<T>(wrapping(a) & wrapping(b));
}
BINARY_FUNCTION(BitwiseOr) {
  return static_cast<T>(wrapping(a) | wrapping(b));
}
BINARY_FUNCTION(BitwiseXor) {
  return static_cast<T>(wrapping(a) ^ wrapping(b));
}
BINARY_FUNCTION(ShiftLeft) {
  // A negative distance becomes a large unsigned one.
  constexpr auto kBits = static_cast<Wrapping<T>>(sizeof(T) * 8);
  return wrapping(b) < kBits ? static_cast<T>(wrapping(a) << wrapping(b)) : T{0};
}
BINARY_FUNCTION(ShiftRight) {
  constexpr auto kBits = static_cast<Wrapping<T>>(sizeof(T) * 8);
  return wrapping(b) < kBits ? static_cast<T>(a >> b) : T{0};
}
BINARY_FUNCTION(Equal) {
  return a == b;
}
BINARY_FUNCTION(Greater) {
  return a > b;
}
BINARY_FUNCTION(GreaterOrEqual) {
  return a >= b;
}
BINARY_FUNCTION(Less) {
  return a < b;
}
BINARY_FUNCTION(LessOrEqual) {
  return a <= b;
}

/// Base and exponent have one float type, or the exponent of an integer is i64.
struct Power {
  template <class T>
  requires std::is_floating_point_v<T>
  static T apply(T base, T exponent, const Attributes&) {
    // Squares are what models ask for; they are exact to half an ulp this way, and quick.
    if (exponent == T{2}) {
      return base * base;
    }
    return exponent == T{1} ? base : std::pow(base, exponent);
  }
  template <class T>
  requires std::is_integral_v<T>
  static T apply(T base, std::int64_t exponent, const Attributes&) {
    if (exponent < 0) {  // 1 / base^n truncates to 0 except for 1 and -1
      if (base == T{1}) {
        return base;
      }
      if (std::is_signed_v<T> && base == static_cast<T>(-1)) {
        return exponent % 2 == 0 ? T{1} : base;
      }
      return T{0};
    }
    Wrapping<T> result = 1;
    Wrapping<T> square = wrapping(base);
    for (auto rest = static_cast<std::uint64_t>(exponent); rest != 0; rest >>= 1) {
      if ((rest & 1) != 0) {
        result *= square;
      }
      square *= square;
    }
    return static_cast<T>(result);
  }
};

/// An integer to a real power: in f64, truncated and saturated like CAST.
struct PowerOfReal {
  template <class T>
  static T apply(T base, double exponent, const Attributes&) {
    const double value = std::pow(static_cast<double>(base), exponent);
    if (value != value) {
      return T{0};
    }
    // The highest number may round up to a power of two in f64, which is already outside.
    if (value >= static_cast<double>(std::numeric_limits<T>::max())) {
      return std::numeric_limits<T>::max();
    }
    return value <= static_cast<double>(std::numeric_limits<T>::lowest())
               ? std::numeric_limits<T>::lowest()
               : static_cast<T>(value);
  }
};

struct Clip {
  template <class T>
  static T apply(T x, T low, T high, const Attributes& attributes) {
    return Minimum::apply(Maximum::apply(x, low, attributes), high, attributes);
  }
};
struct Select {
  template <class T>
  static T apply(bool condition, T yes, T no, const Attributes&) {
    return condition ? yes : no;
  }
};
struct MultiplyAdd {
  template <class T>
  static T apply(T x, T a, T b, const Attributes&) {
    return x * a + b;
  }
};
#undef UNARY_FUNCTION
#undef BINARY_FUNCTION

}  // namespace pliant::kernels::elementwise_functions
