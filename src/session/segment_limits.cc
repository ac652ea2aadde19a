#include "session/segment_limits.h"

#include "isa/info.h"

namespace pliant::session {

std::vector<std::size_t> segment_limits(const Program& program) {
  const std::size_t count = program.instructions.size();
  std::vector<bool> labelled(count + 1, false);
  for (const isa::Instruction& instruction : program.instructions) {
    const isa::InstructionInfo& row = isa::info(instruction.opcode);
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      if (row.operands[i].kind == isa::OperandKind::kLabel) {
        labelled[static_cast<std::size_t>(instruction.operands[i].number)] = true;
      }
    }
  }
  std::vector<std::size_t> limits(count);
  std::size_t limit = count;
  for (std::size_t i = count; i-- > 0;) {
    limits[i] = limit;
    const bool control = isa::info(program.instructions[i].opcode).instruction_class ==
                         isa::InstructionClass::kControl;
    if (labelled[i] || control) {
      limit = i;
    }
  }
  return limits;
}

}  // namespace pliant::session
