#include "plan/register_uses.h"

#include "isa/info.h"

namespace pliant::plan {
namespace {

void add_reader(const isa::Operand& operand, std::size_t instruction,
                std::vector<std::vector<std::size_t>>& readers) {
  using isa::Form;
  if (operand.form == Form::kRegister || operand.form == Form::kAxis ||
      operand.form == Form::kElement) {
    std::vector<std::size_t>& list = readers[static_cast<std::size_t>(operand.number)];
    if (list.empty() || list.back() != instruction) {
      list.push_back(instruction);
    }
  }
  for (const isa::Operand& item : operand.list) {
    add_reader(item, instruction, readers);
  }
}

}  // namespace

RegisterUses::RegisterUses(const Program& program) : readers_(program.registers.size()) {
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Instruction& instruction = program.instructions[i];
    const isa::InstructionInfo& row = isa::info(instruction.opcode);
    for (std::size_t position = 0; position < row.operands.size(); ++position) {
      if (!row.operands[position].is_definition()) {
        add_reader(instruction.operands[position], i, readers_);
      }
    }
    if (instruction.opcode == isa::Opcode::kLoopEnd) {  // counts up the register of LOOP_BEGIN
      const auto begin = static_cast<std::size_t>(instruction.operands[isa::LoopEnd::begin].number);
      add_reader(program.instructions[begin].operands[isa::LoopBegin::iteration], i, readers_);
    }
  }
}

bool RegisterUses::read_outside(int index, std::size_t first, std::size_t end) const {
  const std::vector<std::size_t>& readers = readers_[static_cast<std::size_t>(index)];
  return !readers.empty() && (readers.front() < first || readers.back() >= end);
}

}  // namespace pliant::plan
