#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/result.h"

namespace pliant::shapes {

/// Reads JSON from strangers: lists and objects may be nested 8 deep, there may be 4 million values,
/// and no object may name a key twice. Memory stays below a constant and the length of the text.
///
/// Errors: kCorrupt with line and column (no JSON, or no UTF-8) or with the place (a key that is
/// named twice); kResourceExhausted with the place.
[[nodiscard]] Result<nlohmann::json> parse_bounded_json(std::string_view text);

}  // namespace pliant::shapes
