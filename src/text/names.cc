#include "text/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pliant::text {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

int hexadecimal_digit(char c) {
  if (is_digit(c)) {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

struct Escape {
  char letter;
  char byte;
};
constexpr std::array kEscapes = {Escape{'"', '"'}, Escape{'\\', '\\'}, Escape{'n', '\n'},
                                 Escape{'t', '\t'}, Escape{'r', '\r'}};

constexpr std::array<std::string_view, 5> kReserved = {"_", "inf", "nan", "true", "false"};

}  // namespace

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool continues_name(char c) {
  return starts_name(c) || is_digit(c) || c == '.';
}

bool is_register(std::string_view word) {
  return word.size() >= 2 && word[0] == 'r' &&
         std::all_of(word.begin() + 1, word.end(), [](char c) { return is_digit(c); });
}

bool is_bare_name(std::string_view name) {
  if (name.empty() || !starts_name(name[0]) ||
      !std::all_of(name.begin(), name.end(), [](char c) { return continues_name(c); })) {
    return false;
  }
  // `r0.dim` starts with a register.
  return !is_register(name.substr(0, name.find('.'))) &&
         std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end();
}

std::string name_text(std::string_view name) {
  if (is_bare_name(name)) {
    return std::string(name);
  }
  std::string text = "\"";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const auto* escape = std::find_if(kEscapes.begin(), kEscapes.end(),
                                      [&](const Escape& e) { return e.byte == c; });
    if (escape != kEscapes.end()) {
      text += '\\';
      text += escape->letter;
    } else if (byte < 0x20 || byte >= 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  text += '"';
  return text;
}

std::optional<std::string> unescape(std::string_view quoted) {
  std::string name;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    if (quoted[i] != '\\') {
      name += quoted[i];
      continue;
    }
    if (++i == quoted.size()) {
      return std::nullopt;
    }
    const auto* escape = std::find_if(kEscapes.begin(), kEscapes.end(),
                                      [&](const Escape& e) { return e.letter == quoted[i]; });
    if (escape != kEscapes.end()) {
      name += escape->byte;
      continue;
    }
    if (quoted[i] != 'x' || quoted.size() - i < 3) {
      return std::nullopt;
    }
    const int high = hexadecimal_digit(quoted[i + 1]);
    const int low = hexadecimal_digit(quoted[i + 2]);
    if (high < 0 || low < 0) {
      return std::nullopt;
    }
    name += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return name;
}

}  // namespace pliant::text
