#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <pliant/result.h>

#include "program/diagnostics.h"
#include "program/program.h"

namespace pliant::text {

struct AssembleLimits {
  /// Bytes of all constants together: `full` and `seeded` make many from few.
  std::size_t constant_bytes = std::size_t{16} << 30;
};

/// Reads assembly (docs/assembly.md). The program is in canonical form and has a place for every
/// instruction, but is not verified. Reports as many errors as there are, up to a limit, in
/// `diagnostics`; the returned error is the first of them.
///
/// Errors: kSyntax; kResourceExhausted past a limit. `source_name` stands in messages.
[[nodiscard]] Result<Program> assemble(std::string_view text, std::string source_name,
                                       Diagnostics& diagnostics, const AssembleLimits& limits = {});

}  // namespace pliant::text
