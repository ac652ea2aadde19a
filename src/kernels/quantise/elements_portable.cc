#include <type_traits>

#include "base/check.h"
#include "base/half.h"
#include "kernels/quantise/elements.h"

namespace pliant::kernels::quantise {
namespace {

template <class Number, class T>
void convert(const T* from, std::int64_t count, Number* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = static_cast<Number>(from[i]);
  }
}
template <class Number>
void convert(const Half* from, std::int64_t count, Number* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = static_cast<Number>(to_float(from[i]));
  }
}
template <class Number>
void convert(const BFloat16* from, std::int64_t count, Number* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = static_cast<Number>(to_float(from[i]));
  }
}
void convert(const float* from, std::int64_t count, Half* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = to_half(from[i]);
  }
}
void convert(const float* from, std::int64_t count, BFloat16* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = to_bfloat16(from[i]);
  }
}

template <class T>
struct Typed {
  using Type = T;
};

/// Calls `visit` with the type, for the types that these rows have.
template <class Visitor>
void visit_type(DType dtype, Visitor&& visit) {
  switch (dtype) {
    case DType::kF32:
      return visit(Typed<float>{});
    case DType::kF16:
      return visit(Typed<Half>{});
    case DType::kBF16:
      return visit(Typed<BFloat16>{});
    case DType::kU8:
      return visit(Typed<std::uint8_t>{});
    case DType::kI8:
      return visit(Typed<std::int8_t>{});
    case DType::kU16:
      return visit(Typed<std::uint16_t>{});
    case DType::kI16:
      return visit(Typed<std::int16_t>{});
    case DType::kI32:
      return visit(Typed<std::int32_t>{});
    default:
      PLIANT_CHECK(false);
  }
}

}  // namespace

template <class Number>
void read(DType dtype, const void* data, std::int64_t at, std::int64_t count, Number* to) {
  visit_type(dtype,
             [&]<class T>(Typed<T>) { convert(static_cast<const T*>(data) + at, count, to); });
}

template <class Number>
void write(DType dtype, const Number* from, std::int64_t count, void* data, std::int64_t at) {
  visit_type(dtype, [&]<class T>(Typed<T>) {
    if constexpr (std::is_integral_v<T> == std::is_integral_v<Number>) {
      convert(from, count, static_cast<T*>(data) + at);
    } else {
      PLIANT_CHECK(false);
    }
  });
}

template void read<float>(DType, const void*, std::int64_t, std::int64_t, float*);
template void read<double>(DType, const void*, std::int64_t, std::int64_t, double*);
template void read<std::int32_t>(DType, const void*, std::int64_t, std::int64_t, std::int32_t*);
template void write<float>(DType, const float*, std::int64_t, void*, std::int64_t);
template void write<std::int32_t>(DType, const std::int32_t*, std::int64_t, void*, std::int64_t);

IntegerRange integer_range(DType dtype) {
  switch (dtype) {
    case DType::kU8:
      return {0, 255};
    case DType::kI8:
      return {-128, 127};
    case DType::kU16:
      return {0, 65535};
    default:
      return {-32768, 32767};
  }
}

}  // namespace pliant::kernels::quantise
