#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <pliant/result.h>

#include "program/program.h"

namespace pliant::bytecode {

/// What to do when the file exists.
enum class Existing : std::uint8_t { kRefuse, kReplace };

/// The program as bytecode (format.md).
[[nodiscard]] std::vector<std::byte> write(const Program& program);

/// Writes bytecode to a file, weights straight from where they are. The file is complete or absent
/// afterwards: it is written beside its place, synchronised, and renamed.
///
/// Errors: kIo (the path, the system's words; a full disk too), kInvalidArgument when the file
/// exists and is not to be replaced.
[[nodiscard]] Status write_file(const Program& program, const std::string& path, Existing existing);

}  // namespace pliant::bytecode
