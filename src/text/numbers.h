#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <pliant/dtype.h>

namespace pliant::text {

/// A decimal number that reads back as the same bits (a NaN as a NaN); always with a point or an
/// exponent, so that it is not taken for a whole number.
[[nodiscard]] std::string real_text(double value);

/// One element of a constant; reads back as the same bits. `element` need not be aligned.
[[nodiscard]] std::string element_text(DType dtype, const std::byte* element);

// Readers take the whole text and return empty when it is no such number or does not fit.
[[nodiscard]] std::optional<std::int64_t> parse_whole(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> parse_hexadecimal(std::string_view text);  ///< "0x7fc0"
[[nodiscard]] std::optional<double> parse_real(std::string_view text);

/// Writes one element of a constant to `element`; false when the text is no value of the type.
[[nodiscard]] bool parse_element(std::string_view text, DType dtype, std::byte* element);
/// The same for the bits of a float.
[[nodiscard]] bool parse_element_bits(std::string_view text, DType dtype, std::byte* element);

}  // namespace pliant::text
