#pragma once

#include <cstddef>
#include <optional>

#include "program/program.h"
#include "text/token_stream.h"

namespace pliant::text {

/// Reads the rest of a `.const` declaration behind the name: `f32[64, 32] = seeded(7)`. Takes what
/// the values need from `bytes_left`. Empty after an error; the name is left to the caller.
[[nodiscard]] std::optional<Constant> parse_constant(TokenStream& tokens, std::size_t& bytes_left);

/// Reads an element type; empty after an error.
[[nodiscard]] std::optional<DType> parse_dtype(TokenStream& tokens);

}  // namespace pliant::text
