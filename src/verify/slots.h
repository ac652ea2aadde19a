#pragma once

#include <cstddef>

#include "isa/info.h"
#include "program/program.h"

namespace pliant::verify {

/// Everything that instructions write and later ones rely on, numbered in one row: registers, then a
/// slot per instruction for the counter of a loop (only LOOP_BEGIN's are used), then outputs.
class Slots {
 public:
  explicit Slots(const Program& program) : program_(program) {}

  [[nodiscard]] int count() const { return output(0) + static_cast<int>(program_.outputs.size()); }
  [[nodiscard]] int output(std::size_t index) const {
    return loop(program_.instructions.size()) + static_cast<int>(index);
  }
  [[nodiscard]] bool is_register(int slot) const {
    return slot < static_cast<int>(program_.registers.size());
  }
  [[nodiscard]] bool is_output(int slot) const { return slot >= output(0); }
  [[nodiscard]] std::size_t output_of(int slot) const {
    return static_cast<std::size_t>(slot - output(0));
  }

  /// Calls visit(slot) for each slot that the instruction reads.
  template <class Visit>
  void for_each_use(std::size_t instruction, Visit&& visit) const;
  /// Calls visit(slot) for each slot that the instruction writes.
  template <class Visit>
  void for_each_definition(std::size_t instruction, Visit&& visit) const;

  /// The register that a LOOP_END counts up, or -1 for other instructions.
  [[nodiscard]] int counted_register(std::size_t instruction) const;

 private:
  [[nodiscard]] int loop(std::size_t begin) const {
    return static_cast<int>(program_.registers.size() + begin);
  }
  template <class Visit>
  static void visit_registers(const isa::Operand& operand, Visit&& visit) {
    if (operand.form == isa::Form::kRegister || operand.form == isa::Form::kAxis ||
        operand.form == isa::Form::kElement) {
      visit(static_cast<int>(operand.number));
    }
    for (const isa::Operand& item : operand.list) {
      visit_registers(item, visit);
    }
  }

  const Program& program_;
};

inline int Slots::counted_register(std::size_t instruction) const {
  const isa::Instruction& end = program_.instructions[instruction];
  if (end.opcode != isa::Opcode::kLoopEnd) {
    return -1;
  }
  const auto begin = static_cast<std::size_t>(end.operands[isa::LoopEnd::begin].number);
  const isa::Operand& counter = program_.instructions[begin].operands[isa::LoopBegin::iteration];
  return static_cast<int>(counter.number);
}

template <class Visit>
void Slots::for_each_use(std::size_t instruction, Visit&& visit) const {
  const isa::Instruction& reader = program_.instructions[instruction];
  const isa::InstructionInfo& row = isa::info(reader.opcode);
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (!row.operands[i].is_definition()) {
      visit_registers(reader.operands[i], visit);
    }
  }
  if (reader.opcode == isa::Opcode::kLoopEnd) {
    visit(loop(static_cast<std::size_t>(reader.operands[isa::LoopEnd::begin].number)));
  }
}

template <class Visit>
void Slots::for_each_definition(std::size_t instruction, Visit&& visit) const {
  const isa::Instruction& writer = program_.instructions[instruction];
  const isa::InstructionInfo& row = isa::info(writer.opcode);
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (row.operands[i].is_definition()) {
      visit_registers(writer.operands[i], visit);
    } else if (writer.operands[i].form == isa::Form::kOutput) {
      visit(output(static_cast<std::size_t>(writer.operands[i].number)));
    }
  }
  if (writer.opcode == isa::Opcode::kLoopBegin) {
    visit(loop(instruction));
  }
  if (const int counter = counted_register(instruction); counter >= 0) {
    visit(counter);
  }
}

}  // namespace pliant::verify
