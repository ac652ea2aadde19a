#pragma once

#include <string>

namespace pliant::cli {

/// Text from a model or file without the bytes that a terminal would act on: names are any bytes.
/// Each of them but a tab becomes `?`.
[[nodiscard]] std::string terminal_text(std::string text);

}  // namespace pliant::cli
