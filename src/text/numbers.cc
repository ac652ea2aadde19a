#include "text/numbers.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/half.h"
#include "tensor/dtype.h"

namespace pliant::text {
namespace {

template <class T>
std::optional<T> parse_all(std::string_view text, int base = 10) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

template <class T>
std::optional<T> parse_float(std::string_view text) {
  if (text == "nan") {
    return std::numeric_limits<T>::quiet_NaN();
  }
  if (text == "inf" || text == "-inf") {
    const T infinity = std::numeric_limits<T>::infinity();
    return text == "inf" ? infinity : -infinity;
  }
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

template <class T>
std::string shortest(T value) {
  std::array<char, 64> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  static_cast<void>(error);
  return {buffer.data(), end};
}

/// One overload per way to read and print an element. Narrow floats go through f32.
template <class T>
struct Element {
  static std::optional<T> parse(std::string_view text) { return parse_all<T>(text); }
  static std::string print(T value) { return fmt::format("{}", value); }
};
template <>
struct Element<bool> {
  static std::optional<bool> parse(std::string_view text) {
    return text == "true" || text == "false" ? std::optional(text == "true") : std::nullopt;
  }
  static std::string print(bool value) { return value ? "true" : "false"; }
};
template <>
struct Element<float> {
  static std::optional<float> parse(std::string_view text) { return parse_float<float>(text); }
  static std::string print(float value) { return shortest(value); }
};
template <>
struct Element<double> {
  static std::optional<double> parse(std::string_view text) { return parse_float<double>(text); }
  static std::string print(double value) { return shortest(value); }
};

/// The shortest decimal that rounds to the same 16 bits: more digits until it does.
template <class Narrow>
std::string shortest_narrow(float value, Narrow (*narrow)(float)) {
  constexpr int kMostDigits = 9;  // enough for any f32
  const auto bits = narrow(value).bits;
  std::string text = shortest(value);
  for (int digits = 1; digits < kMostDigits && std::isfinite(value); ++digits) {
    std::array<char, 64> buffer;
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                            std::chars_format::general, digits);
    const auto read = parse_float<float>({buffer.data(), end});
    if (error == std::errc() && read && narrow(*read).bits == bits) {
      return shortest(*read);
    }
  }
  return text;
}
template <>
struct Element<Half> {
  static std::optional<Half> parse(std::string_view text) {
    const auto value = parse_float<float>(text);
    return value ? std::optional(to_half(*value)) : std::nullopt;
  }
  static std::string print(Half value) { return shortest_narrow(to_float(value), &to_half); }
};
template <>
struct Element<BFloat16> {
  static std::optional<BFloat16> parse(std::string_view text) {
    const auto value = parse_float<float>(text);
    return value ? std::optional(to_bfloat16(*value)) : std::nullopt;
  }
  static std::string print(BFloat16 value) {
    return shortest_narrow(to_float(value), &to_bfloat16);
  }
};

std::uint64_t bits_of(DType dtype, const std::byte* element) {
  std::uint64_t bits = 0;  // elements are little-endian, as the machines we run on
  std::memcpy(&bits, element, byte_size(dtype));
  return bits;
}

}  // namespace

std::string real_text(double value) {
  if (std::isnan(value)) {
    return "nan";
  }
  std::string text = shortest(value);
  const bool whole = text.find_first_of(".ein") == std::string::npos;
  return whole ? text + ".0" : text;
}

std::string element_text(DType dtype, const std::byte* element) {
  std::string text = visit_dtype(dtype, [&](auto value) {
    if (dtype == DType::kBool) {
      return Element<bool>::print(*element != std::byte{0});
    }
    std::memcpy(&value, element, sizeof(value));
    return Element<decltype(value)>::print(value);
  });
  std::array<std::byte, 8> read{};
  if (is_float(dtype) && (!parse_element(text, dtype, read.data()) ||
                          bits_of(dtype, read.data()) != bits_of(dtype, element))) {
    return fmt::format("bits(0x{:x})", bits_of(dtype, element));
  }
  return text;
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
  return parse_all<std::int64_t>(text);
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  return parse_all<std::uint64_t>(text);
}

std::optional<std::uint64_t> parse_hexadecimal(std::string_view text) {
  return text.starts_with("0x") ? parse_all<std::uint64_t>(text.substr(2), 16) : std::nullopt;
}

std::optional<double> parse_real(std::string_view text) {
  return parse_float<double>(text);
}

bool parse_element(std::string_view text, DType dtype, std::byte* element) {
  return visit_dtype(dtype, [&](auto type) {
    const auto value = Element<decltype(type)>::parse(text);
    if (value) {
      std::memcpy(element, &*value, sizeof(*value));
    }
    return value.has_value();
  });
}

bool parse_element_bits(std::string_view text, DType dtype, std::byte* element) {
  const auto bits = parse_hexadecimal(text);
  const std::size_t bytes = byte_size(dtype);
  if (!bits || !is_float(dtype) || (bytes < 8 && (*bits >> (8 * bytes)) != 0)) {
    return false;
  }
  std::memcpy(element, &*bits, bytes);
  return true;
}

}  // namespace pliant::text
