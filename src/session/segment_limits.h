#pragma once

#include <cstddef>
#include <vector>

#include "program/program.h"

namespace pliant::session {

/// For each instruction the next one, or the program's end, that control flow leads into or leaves
/// from: segments do not go beyond.
[[nodiscard]] std::vector<std::size_t> segment_limits(const Program& program);

}  // namespace pliant::session
