#include "session/segment_limits.h"

#include <algorithm>

#include "isa/info.h"

namespace pliant::session {

namespace {

/// Calls visit(instruction, label) for each label that an instruction names.
template <class Visit>
void for_each_label(const Program& program, Visit&& visit) {
  for (std::size_t index = 0; index < program.instructions.size(); ++index) {
    const isa::Instruction& instruction = program.instructions[index];
    const isa::InstructionInfo& row = isa::info(instruction.opcode);
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      if (row.operands[i].kind == isa::OperandKind::kLabel) {
        visit(index, static_cast<std::size_t>(instruction.operands[i].number));
      }
    }
  }
}

}  // namespace

std::vector<bool> on_every_path(const Program& program) {
  std::vector<bool> every(program.instructions.size(), true);
  for_each_label(program, [&](std::size_t from, std::size_t to) {
    // Forwards: what lies between may be left out. Backwards: it may be repeated.
    for (std::size_t i = std::min(from + 1, to); i < std::max(from + 1, to); ++i) {
      every[i] = false;
    }
  });
  // Behind an end that some runs come to, others go on.
  const auto halt = std::find_if(
      program.instructions.begin(), program.instructions.end(),
      [](const isa::Instruction& instruction) { return instruction.opcode == isa::Opcode::kHalt; });
  std::fill(every.begin() + (halt - program.instructions.begin()), every.end(), false);
  return every;
}

std::vector<std::size_t> segment_limits(const Program& program) {
  const std::size_t count = program.instructions.size();
  std::vector<bool> labelled(count + 1, false);
  for_each_label(program, [&](std::size_t, std::size_t label) { labelled[label] = true; });
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
