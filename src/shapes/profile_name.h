#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pliant::shapes {

inline constexpr std::size_t kMaxProfiledNameBytes = 4096;

/// A name as text: bytes that are no UTF-8, control characters and backslashes become \xNN, and
/// what is longer than kMaxProfiledNameBytes is cut. Names of models are any bytes; JSON is text.
[[nodiscard]] std::string profile_name(std::string_view name);

}  // namespace pliant::shapes
