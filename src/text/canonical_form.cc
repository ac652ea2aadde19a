#include "text/canonical_form.h"

#include <cstdint>
#include <numeric>
#include <vector>

#include "isa/info.h"

namespace pliant::text {
namespace {

using isa::Form;
using isa::Operand;
using isa::OperandKind;

/// Registers that MOVE_REG connects have one kind: sets of registers, merged (union by path
/// halving).
class KindSets {
 public:
  explicit KindSets(std::size_t count)
      : parent_(count), writes_size_(count, false), writes_tensor_(count, false) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  void note_size(std::int64_t reg) { writes_size_[find(reg)] = true; }
  void note_tensor(std::int64_t reg) { writes_tensor_[find(reg)] = true; }
  void merge(std::int64_t a, std::int64_t b) {
    const std::size_t root = find(a);
    const std::size_t other = find(b);
    parent_[other] = root;
    writes_size_[root] = writes_size_[root] || writes_size_[other];
    writes_tensor_[root] = writes_tensor_[root] || writes_tensor_[other];
  }
  /// A register that is written as both is left to the verifier.
  [[nodiscard]] bool is_size(std::int64_t reg) {
    return writes_size_[find(reg)] && !writes_tensor_[find(reg)];
  }

 private:
  std::size_t find(std::int64_t reg) {
    auto node = static_cast<std::size_t>(reg);
    while (parent_[node] != node) {
      parent_[node] = parent_[parent_[node]];
      node = parent_[node];
    }
    return node;
  }

  std::vector<std::size_t> parent_;
  std::vector<bool> writes_size_;
  std::vector<bool> writes_tensor_;
};

void note_definitions(const Operand& operand, OperandKind kind, KindSets& kinds) {
  if (operand.form == Form::kRegister && kind == OperandKind::kSizeDef) {
    kinds.note_size(operand.number);
  } else if (operand.form == Form::kRegister && kind == OperandKind::kTensorDef) {
    kinds.note_tensor(operand.number);
  } else if (operand.form == Form::kList && kind == OperandKind::kTensorDefs) {
    for (const Operand& item : operand.list) {
      note_definitions(item, OperandKind::kTensorDef, kinds);
    }
  }
}

/// The operand that an AnyDef of this instruction receives.
const Operand* moved_value(const isa::Instruction& instruction, const isa::InstructionInfo& row) {
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (row.operands[i].kind == OperandKind::kAnyUse) {
      return &instruction.operands[i];
    }
  }
  return nullptr;
}

template <class Visit>
void for_each_operand(Program& program, Visit&& visit) {
  for (isa::Instruction& instruction : program.instructions) {
    const isa::InstructionInfo& row = isa::info(instruction.opcode);
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      visit(instruction, row, row.operands[i].kind, instruction.operands[i]);
    }
  }
}

}  // namespace

void settle_registers(Program& program) {
  KindSets kinds(program.registers.size());
  for_each_operand(program, [&](const isa::Instruction& instruction,
                                const isa::InstructionInfo& row, OperandKind kind,
                                const Operand& operand) {
    note_definitions(operand, kind, kinds);
    const Operand* value = kind == OperandKind::kAnyDef ? moved_value(instruction, row) : nullptr;
    if (value == nullptr) {
      return;
    }
    if (value->form == Form::kRegister) {
      kinds.merge(operand.number, value->number);
    } else if (value->form == Form::kConstant || value->form == Form::kReal) {
      kinds.note_tensor(operand.number);
    } else {
      kinds.note_size(operand.number);
    }
  });
  for (std::size_t i = 0; i < program.registers.size(); ++i) {
    const bool size = kinds.is_size(static_cast<std::int64_t>(i));
    program.registers[i].kind = size ? RegisterKind::kSize : RegisterKind::kTensor;
  }
  for_each_operand(program, [&](const isa::Instruction&, const isa::InstructionInfo&,
                                OperandKind kind, Operand& operand) {
    if (kind == OperandKind::kSizes && operand.form == Form::kRegister &&
        kinds.is_size(operand.number)) {
      operand = isa::list({isa::reg(operand.number)});
    }
  });
}

}  // namespace pliant::text
