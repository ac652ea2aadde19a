#pragma once

#include <cstddef>
#include <vector>

#include "program/program.h"

namespace pliant::session {

/// For each instruction the next one, or the program's end, that control flow leads into or leaves
/// from: segments do not go beyond.
[[nodiscard]] std::vector<std::size_t> segment_limits(const Program& program);

/// For each instruction whether every run comes to it, and once: no branch leads around it, and no
/// loop through it.
[[nodiscard]] std::vector<bool> on_every_path(const Program& program);

}  // namespace pliant::session
