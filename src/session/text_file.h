#pragma once

#include <string>

#include <pliant/result.h>

namespace pliant::session {

/// The whole of a text file. Errors: kIo, with the system's words; kResourceExhausted for one of
/// more than 1 GiB, which no program is.
[[nodiscard]] Result<std::string> read_text_file(const std::string& path);

}  // namespace pliant::session
