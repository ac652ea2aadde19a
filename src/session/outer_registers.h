#pragma once

#include <cstddef>
#include <vector>

#include "program/program.h"

namespace pliant::session {

/// Tensor registers that instructions [first, end) read before they write them, in the order of the
/// first reads: what a segment there is given by others. No label leads between them.
[[nodiscard]] std::vector<int> outer_registers(const Program& program, std::size_t first,
                                               std::size_t end);

}  // namespace pliant::session
