#pragma once

#include <optional>
#include <string_view>
#include <type_traits>

#include <pliant/dtype.h>

namespace pliant {

enum class DTypeClass : std::uint8_t { kFloat, kSigned, kUnsigned, kBoolean };

[[nodiscard]] DTypeClass dtype_class(DType dtype);
[[nodiscard]] inline bool is_float(DType dtype) {
  return dtype_class(dtype) == DTypeClass::kFloat;
}
[[nodiscard]] inline bool is_integer(DType dtype) {
  return dtype_class(dtype) == DTypeClass::kSigned || dtype_class(dtype) == DTypeClass::kUnsigned;
}

/// The number that ONNX gives a type, and back.
[[nodiscard]] int onnx_number(DType dtype);
[[nodiscard]] std::optional<DType> dtype_from_onnx(int number);

/// The type with NumPy's code (without byte order), for example "f4". bf16 has none of its own and
/// is stored as "V2".
[[nodiscard]] std::optional<DType> dtype_from_numpy(std::string_view code);

/// The element type of a C++ type.
template <class T>
struct DTypeOf;
#define PLIANT_DTYPE(Name, text, Type, ...)         \
  template <>                                       \
  struct DTypeOf<Type> {                            \
    static constexpr DType kValue = DType::k##Name; \
  };
#include <pliant/dtypes.def>
template <class T>
inline constexpr DType kDTypeOf = DTypeOf<std::remove_cv_t<T>>::kValue;

/// Calls `visit(T{})` with a value of the C++ type that `dtype` stores: the one place that maps
/// run-time types to static ones.
template <class Visitor>
decltype(auto) visit_dtype(DType dtype, Visitor&& visit) {
  switch (dtype) {
#define PLIANT_DTYPE(Name, text, Type, ...) \
  case DType::k##Name:                      \
    return visit(Type{});
#include <pliant/dtypes.def>
  }
  __builtin_unreachable();
}

}  // namespace pliant
