#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <pliant/result.h>

#include "bytecode/byte_reader.h"
#include "program/program.h"

namespace pliant::bytecode {

/// Reads the description section. Constants become views into `data`, which `owner` keeps alive.
/// Checked: that everything is there, fits its limits, and that constants lie inside `data`.
[[nodiscard]] Result<Program> read_description(ByteReader in, std::span<const std::byte> data,
                                               std::shared_ptr<const void> owner);

}  // namespace pliant::bytecode
