#include <array>
#include <limits>
#include <type_traits>

#include "base/half.h"
#include "kernels/elementwise/half_conversion.h"
#include "tensor/dtype.h"

// CAST's rules, for every pair of element types.

namespace pliant::kernels {
namespace {

template <class T>
inline constexpr bool kIsSmallFloat = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

/// Float to integer: truncates and saturates; NaN gives 0.
template <class To, class From>
To to_integer(From value) {
  constexpr To kLowest = std::numeric_limits<To>::lowest();
  constexpr To kHighest = std::numeric_limits<To>::max();
  // kHighest may round up to the next power of two, which is already too much; so are all above it.
  if (!(value > static_cast<From>(kLowest))) {
    return value != value ? To{0} : kLowest;
  }
  return value >= static_cast<From>(kHighest) ? kHighest : static_cast<To>(value);
}

/// f64 to a 16-bit float with one rounding: f32 in between would round twice, so its last bit keeps
/// note of what was cut off (rounding to odd; S. Boldo, G. Melquiond, doi:10.1109/TC.2007.70819).
float round_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || value != value || nearest - nearest != 0.0f) {
    return nearest;
  }
  std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
  const bool away = (value > 0) == (static_cast<double>(nearest) > value);
  bits -= away ? 1u : 0u;  // truncated towards zero
  return std::bit_cast<float>(bits | 1u);
}

/// Exact up to 2^53; beyond, the last of the bits that are kept says whether others were lost.
template <class T>
double integer_to_odd_double(T value) {
  constexpr std::uint64_t kLost = 0x7ff;  // what 64 bits have more than 53
  using Unsigned = std::make_unsigned_t<T>;
  const bool negative = value < T{0};
  std::uint64_t magnitude =
      negative ? Unsigned{0} - static_cast<Unsigned>(value) : static_cast<Unsigned>(value);
  if ((magnitude >> 53) != 0 && (magnitude & kLost) != 0) {
    magnitude = (magnitude & ~kLost) | (kLost + 1);
  }
  return negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
}

template <class To, class From>
To convert_element(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (kIsSmallFloat<From>) {
    return convert_element<To>(to_float(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (kIsSmallFloat<To>) {
    float rounded = 0;
    if constexpr (std::is_same_v<From, double>) {
      rounded = round_to_odd(value);
    } else if constexpr (std::is_integral_v<From> && sizeof(From) >= 4) {
      // From 2^24 on, bits that neither 16-bit float can hold only matter as "not exactly this".
      rounded = round_to_odd(integer_to_odd_double(value));
    } else {
      rounded = static_cast<float>(value);
    }
    if constexpr (std::is_same_v<To, Half>) {
      return to_half(rounded);
    } else {
      return to_bfloat16(rounded);
    }
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return to_integer<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

template <class From, class To>
void convert_elements(const DenseStrip& strip) {
  const auto* from = static_cast<const From*>(strip.inputs[0]);
  auto* to = static_cast<To*>(strip.result);
  for (std::int64_t i = 0; i < strip.count; ++i) {
    to[i] = convert_element<To>(from[i]);
  }
}

using Row = std::array<DenseLoop, kDTypeCount>;
template <class From>
constexpr Row conversions_from() {
  return {
#define PLIANT_DTYPE(Name, text, Type, ...) &convert_elements<From, Type>,
#include <pliant/dtypes.def>
  };
}

constexpr std::array<Row, kDTypeCount> kConversions = {
#define PLIANT_DTYPE(Name, text, Type, ...) conversions_from<Type>(),
#include <pliant/dtypes.def>
};

}  // namespace

DenseLoop find_conversion(DType from, DType to, CpuLevel level) {
  DenseLoop loop = kConversions[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
#define HALF_CONVERSIONS(Level, space)                               \
  if (const DenseLoop vectorised = space::half_conversion(from, to); \
      level >= CpuLevel::Level && vectorised != nullptr) {           \
    loop = vectorised;                                               \
  }
#include "kernels/elementwise/kernels.inc"
  return loop;
}

void convert(DenseLoop conversion, const void* from, void* to, std::int64_t count) {
  DenseStrip strip;
  strip.inputs[0] = from;
  strip.result = to;
  strip.count = count;
  conversion(strip);
}

}  // namespace pliant::kernels
