#pragma once

#include <utility>

#include "isa/info.h"
#include "isa/operand.h"
#include "plan/graph.h"

namespace pliant::plan {

/// True for the operand kinds in whose place a value or an extent may stand as a tensor.
[[nodiscard]] inline bool reads_tensors(isa::OperandKind kind) {
  return kind == isa::OperandKind::kTensorUse || kind == isa::OperandKind::kTensorUses;
}

/// Calls visit(operand) for each tensor that the instruction reads: a value (Form::kRegister) or an
/// extent (Form::kSymbol). `Instruction` may be const.
template <class Instruction, class Visit>
void for_each_use(Instruction& instruction, Visit&& visit) {
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (!reads_tensors(row.operands[i].kind) || !instruction.operands[i].given()) {
      continue;
    }
    if (instruction.operands[i].form == isa::Form::kList) {
      for (auto& item : instruction.operands[i].list) {
        visit(item);
      }
    } else {
      visit(instruction.operands[i]);
    }
  }
}

/// Calls visit(operand) for each result, also for those that are absent. Results that nobody reads
/// are values nevertheless.
template <class Instruction, class Visit>
void for_each_definition(Instruction& instruction, Visit&& visit) {
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (!row.operands[i].is_definition()) {
      continue;
    }
    if (instruction.operands[i].form == isa::Form::kList) {
      for (auto& item : instruction.operands[i].list) {
        visit(item);
      }
    } else {
      visit(instruction.operands[i]);
    }
  }
}

/// Calls visit(operand) for each size that is an extent of the graph (Form::kSymbol), as a size or
/// as a tensor.
template <class Instruction, class Visit>
void for_each_extent(Instruction& instruction, Visit&& visit) {
  for (auto& operand : instruction.operands) {
    if (operand.form == isa::Form::kSymbol) {
      visit(operand);
    }
    for (auto& item : operand.list) {
      if (item.form == isa::Form::kSymbol) {
        visit(item);
      }
    }
  }
}

/// The value that the instruction's only result is, or -1 when it has several or none.
[[nodiscard]] inline int single_result(const isa::Instruction& instruction) {
  int result = -1;
  int count = 0;
  for_each_definition(instruction, [&](const isa::Operand& operand) {
    if (operand.given()) {
      ++count;
      result = static_cast<int>(operand.number);
    }
  });
  return count == 1 ? result : -1;
}

/// The value in an operand's place, or -1 when it is an extent or absent.
[[nodiscard]] inline int value_in(const isa::Operand& operand) {
  return operand.form == isa::Form::kRegister ? static_cast<int>(operand.number) : -1;
}

[[nodiscard]] inline bool has_effect(const isa::Instruction& instruction, isa::Effects effect) {
  return (isa::info(instruction.opcode).effects & effect) != 0;
}

}  // namespace pliant::plan
