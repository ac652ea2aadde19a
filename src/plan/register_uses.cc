#include "plan/register_uses.h"

#include <algorithm>

#include "isa/info.h"

namespace pliant::plan {
namespace {

void add_user(const isa::Operand& operand, std::size_t instruction,
              std::vector<std::vector<std::size_t>>& users) {
  using isa::Form;
  if (operand.form == Form::kRegister || operand.form == Form::kAxis ||
      operand.form == Form::kElement) {
    std::vector<std::size_t>& list = users[static_cast<std::size_t>(operand.number)];
    if (list.empty() || list.back() != instruction) {
      list.push_back(instruction);
    }
  }
  for (const isa::Operand& item : operand.list) {
    add_user(item, instruction, users);
  }
}

}  // namespace

RegisterUses::RegisterUses(const Program& program)
    : readers_(program.registers.size()), writers_(program.registers.size()) {
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Instruction& instruction = program.instructions[i];
    const isa::InstructionInfo& row = isa::info(instruction.opcode);
    for (std::size_t position = 0; position < row.operands.size(); ++position) {
      const isa::Operand& operand = instruction.operands[position];
      add_user(operand, i, row.operands[position].is_definition() ? writers_ : readers_);
      if (operand.form == isa::Form::kLabel && static_cast<std::size_t>(operand.number) <= i) {
        back_edges_.push_back({i, static_cast<std::size_t>(operand.number)});
      }
    }
    if (instruction.opcode == isa::Opcode::kLoopEnd) {  // counts up the register of LOOP_BEGIN
      const auto begin = static_cast<std::size_t>(instruction.operands[isa::LoopEnd::begin].number);
      add_user(program.instructions[begin].operands[isa::LoopBegin::iteration], i, readers_);
    }
  }
}

bool RegisterUses::read_outside(int index, std::size_t first, std::size_t end) const {
  const Instructions& readers = readers_[static_cast<std::size_t>(index)];
  if (readers.empty()) {
    return false;
  }
  if (readers.front() < first || readers.back() >= end) {
    return true;
  }
  const Instructions& writers = writers_[static_cast<std::size_t>(index)];
  const auto written = std::lower_bound(writers.begin(), writers.end(), first);
  // An instruction that does both reads first.
  const bool reads_what_was_there = written == writers.end() || readers.front() <= *written;
  return reads_what_was_there && is_entered_again(first, end);
}

bool RegisterUses::is_entered_again(std::size_t first, std::size_t end) const {
  return std::any_of(back_edges_.begin(), back_edges_.end(),
                     [&](const BackEdge& edge) { return edge.from >= end && edge.to <= first; });
}

}  // namespace pliant::plan
