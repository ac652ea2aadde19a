#pragma once

#include <string>

namespace pliant::shapes {

/// Text as a JSON string with its quotes; bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string json_string(const std::string& text);

}  // namespace pliant::shapes
