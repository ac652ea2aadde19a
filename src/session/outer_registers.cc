#include "session/outer_registers.h"

#include <algorithm>

#include "isa/info.h"

namespace pliant::session {
namespace {

/// Tensor registers behind an operand, in order.
void collect(const Program& program, const isa::Operand& operand, std::vector<int>& registers) {
  using isa::Form;
  if ((operand.form == Form::kRegister || operand.form == Form::kAxis ||
       operand.form == Form::kElement) &&
      program.registers[static_cast<std::size_t>(operand.number)].kind == RegisterKind::kTensor) {
    registers.push_back(static_cast<int>(operand.number));
  }
  for (const isa::Operand& item : operand.list) {
    collect(program, item, registers);
  }
}

}  // namespace

std::vector<int> outer_registers(const Program& program, std::size_t first, std::size_t end) {
  std::vector<int> outer;
  std::vector<bool> known(program.registers.size(), false);  // written here, or listed
  std::vector<int> read;
  std::vector<int> written;
  for (std::size_t i = first; i < end; ++i) {
    const isa::Instruction& instruction = program.instructions[i];
    const isa::InstructionInfo& row = isa::info(instruction.opcode);
    read.clear();
    written.clear();
    for (std::size_t position = 0; position < row.operands.size(); ++position) {
      collect(program, instruction.operands[position],
              row.operands[position].is_definition() ? written : read);
    }
    for (const int index : read) {
      if (!known[static_cast<std::size_t>(index)]) {
        known[static_cast<std::size_t>(index)] = true;
        outer.push_back(index);
      }
    }
    for (const int index : written) {
      known[static_cast<std::size_t>(index)] = true;
    }
  }
  return outer;
}

}  // namespace pliant::session
