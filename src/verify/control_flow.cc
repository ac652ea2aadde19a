#include "verify/control_flow.h"

#include <algorithm>
#include <utility>

#include "isa/info.h"

namespace pliant::verify {
namespace {

bool branches(const isa::Instruction& instruction) {
  return (isa::info(instruction.opcode).effects & isa::kBranches) != 0;
}
bool terminates(const isa::Instruction& instruction) {
  return (isa::info(instruction.opcode).effects & isa::kTerminates) != 0;
}

std::vector<bool> find_leaders(const Program& program) {
  std::vector<bool> leaders(program.instructions.size() + 1, false);
  leaders.front() = true;
  leaders.back() = true;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Instruction& instruction = program.instructions[i];
    if (branches(instruction)) {
      leaders[branch_target(instruction)] = true;
    }
    if (branches(instruction) || terminates(instruction)) {
      leaders[i + 1] = true;
    }
  }
  return leaders;
}

/// Depth first, without recursion: programs nest as deep as they like.
std::vector<int> reverse_post_order(const std::vector<Block>& blocks) {
  std::vector<int> order;
  std::vector<bool> seen(blocks.size(), false);
  std::vector<std::pair<int, std::size_t>> stack = {{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    const std::vector<int>& successors = blocks[static_cast<std::size_t>(block)].successors;
    if (next == successors.size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    const int successor = successors[next++];
    if (!seen[static_cast<std::size_t>(successor)]) {
      seen[static_cast<std::size_t>(successor)] = true;
      stack.emplace_back(successor, 0);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

std::size_t branch_target(const isa::Instruction& instruction) {
  for (const isa::Operand& operand : instruction.operands) {
    if (operand.form == isa::Form::kLabel) {
      const bool after = instruction.opcode == isa::Opcode::kLoopEnd;
      return static_cast<std::size_t>(operand.number) + (after ? 1 : 0);
    }
  }
  return 0;
}

ControlFlow find_control_flow(const Program& program) {
  const std::size_t count = program.instructions.size();
  const std::vector<bool> leaders = find_leaders(program);
  ControlFlow flow;
  std::vector<int> block_at(count + 1, 0);  // the block that starts at a leader
  for (std::size_t i = 0; i <= count; ++i) {
    if (leaders[i]) {
      block_at[i] = static_cast<int>(flow.blocks.size());
      if (!flow.blocks.empty()) {
        flow.blocks.back().end = i;
      }
      flow.blocks.push_back({i, i, {}, {}});
    }
  }
  const int exit = static_cast<int>(flow.blocks.size()) - 1;
  for (int b = 0; b < exit; ++b) {
    Block& block = flow.blocks[static_cast<std::size_t>(b)];
    const isa::Instruction& last = program.instructions[block.end - 1];
    if (branches(last)) {
      block.successors.push_back(block_at[branch_target(last)]);
    } else if (terminates(last)) {
      block.successors.push_back(exit);
    }
    if (!terminates(last) &&
        block_at[block.end] != (block.successors.empty() ? -1 : block.successors[0])) {
      block.successors.push_back(block_at[block.end]);
    }
    for (const int successor : block.successors) {
      flow.blocks[static_cast<std::size_t>(successor)].predecessors.push_back(b);
    }
  }
  flow.order = reverse_post_order(flow.blocks);
  return flow;
}

}  // namespace pliant::verify
