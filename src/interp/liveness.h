#pragma once

#include <vector>

#include "program/program.h"

namespace pliant::interp {

/// Tensor registers to empty around one instruction.
struct Releases {
  std::vector<int> before;  ///< another path would have read them, this one does not
  std::vector<int> after;   ///< read (or written) here for the last time
};

/// For each instruction, the tensor registers whose value no path reads any more. Emptying them
/// there keeps as few tensors alive as the program's order allows.
[[nodiscard]] std::vector<Releases> find_releases(const Program& program);

}  // namespace pliant::interp
