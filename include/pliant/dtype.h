#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pliant {

/// IEEE 754 binary16, as stored. Arithmetic happens in f32.
struct Half {
  std::uint16_t bits = 0;
};

/// The upper half of an IEEE 754 binary32, as stored. Arithmetic happens in f32.
struct BFloat16 {
  std::uint16_t bits = 0;
};

/// The type of a tensor's elements.
enum class DType : std::uint8_t {
#define PLIANT_DTYPE(Name, ...) k##Name,
#include <pliant/dtypes.def>
};

inline constexpr int kDTypeCount = 0
#define PLIANT_DTYPE(...) +1
#include <pliant/dtypes.def>
    ;

/// Bytes of one element.
[[nodiscard]] std::size_t byte_size(DType dtype);

/// The name used in assembly and messages, for example "f32".
[[nodiscard]] std::string_view name(DType dtype);

/// The element type of that name, if there is one.
[[nodiscard]] std::optional<DType> dtype_from_name(std::string_view name);

}  // namespace pliant
