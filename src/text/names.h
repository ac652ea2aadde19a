#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pliant::text {

/// True for bytes that a bare name starts with, or goes on with.
[[nodiscard]] bool starts_name(char c);
[[nodiscard]] bool continues_name(char c);

/// `r` and digits: always a register, never a name.
[[nodiscard]] bool is_register(std::string_view word);

/// True when the name may be written without quotes.
[[nodiscard]] bool is_bare_name(std::string_view name);

/// The name as assembly writes it: bare if it can be, else quoted with escapes.
[[nodiscard]] std::string name_text(std::string_view name);

/// The bytes between the quotes of a quoted name, escapes resolved; empty for an unknown escape.
[[nodiscard]] std::optional<std::string> unescape(std::string_view quoted);

}  // namespace pliant::text
