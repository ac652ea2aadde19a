#include "shapes/profile_name.h"

#include <fmt/format.h>

#include <cstdint>

namespace pliant::shapes {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

/// Bytes of the UTF-8 character at the start of `text` (RFC 3629: no overlong forms, no surrogates,
/// at most U+10FFFF); 0 when there is none.
std::size_t character_size(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) {
    return 1;
  }
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) {
    return 0;
  }
  std::uint32_t code = first & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte_at(text, i) & 0xc0U) != 0x80) {
      return 0;
    }
    code = code << 6U | (byte_at(text, i) & 0x3fU);
  }
  const bool is_overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  return is_overlong || is_surrogate || code > 0x10ffff ? 0 : size;
}

}  // namespace

std::string profile_name(std::string_view name) {
  std::string text;
  while (!name.empty()) {
    const std::size_t size = character_size(name);
    const unsigned first = byte_at(name, 0);
    const bool is_plain = size > 0 && first >= 0x20 && first != 0x7f && first != '\\';
    const std::string piece =
        is_plain ? std::string(name.substr(0, size)) : fmt::format("\\x{:02x}", first);
    if (text.size() + piece.size() > kMaxProfiledNameBytes) {
      break;
    }
    text += piece;
    name.remove_prefix(is_plain ? size : 1);
  }
  return text;
}

}  // namespace pliant::shapes
