#include "cli/element_value.h"

#include <cmath>
#include <cstring>

namespace pliant::cli {
namespace {

double number_of(Half value) {
  const int exponent = value.bits >> 10 & 0x1f;
  const int fraction = value.bits & 0x3ff;
  double magnitude = 0;
  if (exponent == 0x1f) {
    magnitude = fraction == 0 ? HUGE_VAL : NAN;
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(fraction + 0x400, exponent - 25);
  }
  return (value.bits & 0x8000) != 0 ? -magnitude : magnitude;
}

double number_of(BFloat16 value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(value.bits) << 16;
  float number = 0;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

template <class T>
double number_of(T value) {
  return static_cast<double>(value);
}

template <class T>
T from_number(double value) {
  return static_cast<T>(value);
}

/// Rounds towards zero: random inputs need no better.
template <>
BFloat16 from_number<BFloat16>(double value) {
  const auto number = static_cast<float>(value);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return {static_cast<std::uint16_t>(bits >> 16)};
}

/// Rounds towards zero; magnitudes of 65504 and more become 65504.
template <>
Half from_number<Half>(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude >= 65504) {
    return {static_cast<std::uint16_t>(sign | 0x7bff)};
  }
  int exponent = 0;
  std::frexp(magnitude, &exponent);        // magnitude is in [2^(exponent - 1), 2^exponent)
  if (magnitude == 0 || exponent < -13) {  // zero and subnormal
    return {static_cast<std::uint16_t>(sign | static_cast<int>(std::ldexp(magnitude, 24)))};
  }
  const int fraction = static_cast<int>(std::ldexp(magnitude, 11 - exponent)) - 0x400;
  return {static_cast<std::uint16_t>(sign | ((exponent + 14) << 10) | fraction)};
}

}  // namespace

double element_value(const Tensor& tensor, std::int64_t index) {
  const auto i = static_cast<std::size_t>(index);
  switch (tensor.dtype()) {
#define PLIANT_DTYPE(Name, text, Type, ...) \
  case DType::k##Name:                      \
    return number_of(tensor.values<Type>()[i]);
#include <pliant/dtypes.def>
  }
  return 0;
}

void set_element(Tensor& tensor, std::int64_t index, double value) {
  switch (tensor.dtype()) {
#define PLIANT_DTYPE(Name, text, Type, ...)                                      \
  case DType::k##Name:                                                           \
    static_cast<Type*>(tensor.mutable_data())[index] = from_number<Type>(value); \
    break;
#include <pliant/dtypes.def>
  }
}

}  // namespace pliant::cli
