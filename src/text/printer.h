#pragma once

#include <cstdint>
#include <string>

#include "program/program.h"

namespace pliant::text {

struct PrintOptions {
  /// Constants with more elements are printed as `{...}`, which does not assemble again. Values
  /// that `full` or `seeded` express are always printed.
  std::int64_t max_constant_elements = INT64_MAX;
  /// Adds what an instruction was imported from as a comment.
  bool origins = false;
};

/// The program as assembly in a canonical form: assembling it gives the same program but for
/// places. The program must be well-formed, as from assemble(), bytecode::read() or Builder:
/// operand indices in range.
[[nodiscard]] std::string print(const Program& program, const PrintOptions& options = {});

}  // namespace pliant::text
