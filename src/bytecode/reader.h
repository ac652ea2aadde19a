#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <pliant/result.h>

#include "program/program.h"

namespace pliant::bytecode {

/// Reads bytecode from memory. Constants are views into `bytes`, which `owner` keeps alive; `bytes`
/// must be 64-byte aligned, or the constants are copied. Any bytes are safe to read; the program is
/// well-formed (indices in range) but not verified.
///
/// Errors name the byte offset: kCorrupt; kUnsupported for a newer version; kResourceExhausted past
/// the limits of program/limits.h.
[[nodiscard]] Result<Program> read(std::span<const std::byte> bytes,
                                   std::shared_ptr<const void> owner);

/// Maps a file and reads it; the program keeps the mapping. Weights are never copied, and pages are
/// read when they are first used. Errors: as read(), and kIo.
[[nodiscard]] Result<Program> read_file(const std::string& path);

}  // namespace pliant::bytecode
