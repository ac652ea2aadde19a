#pragma once

#include <cstddef>
#include <vector>

#include "program/program.h"

namespace pliant::verify {

/// Instructions begin..end-1, entered at the first and left behind the last.
struct Block {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<int> successors;
  std::vector<int> predecessors;
};

/// The blocks of a program in the order of its instructions. The last block is empty and stands for
/// the end of the run: HALT and running off the end lead there.
struct ControlFlow {
  std::vector<Block> blocks;
  /// Blocks that can be reached from the first, each after those of its predecessors that do not
  /// lie behind it in a loop.
  std::vector<int> order;
};

/// Labels must be in range.
[[nodiscard]] ControlFlow find_control_flow(const Program& program);

/// The instruction that a branch leads to: its label, but LOOP_END goes on after its LOOP_BEGIN.
[[nodiscard]] std::size_t branch_target(const isa::Instruction& instruction);

}  // namespace pliant::verify
