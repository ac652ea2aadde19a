#pragma once

#include <cstdint>
#include <vector>

#include "generators/choices.h"
#include "isa/info.h"
#include "program/program.h"

namespace pliant::fuzz {

/// Makes operands by their kind, for the program under construction. Registers in scope are those that
/// are written on every path to the place of the next instruction.
class OperandGenerator {
 public:
  OperandGenerator(Choices& choices, Program& program) : choices_(choices), program_(program) {}

  /// An instruction of this row; its labels are left to the caller.
  [[nodiscard]] isa::Instruction instruction(const isa::InstructionInfo& row);
  [[nodiscard]] isa::Operand size();
  [[nodiscard]] isa::Operand new_register(RegisterKind kind);

  /// The registers that the instruction writes come into scope.
  void enter_scope(const isa::Instruction& instruction);
  using Scope = std::vector<std::int64_t>;
  [[nodiscard]] const Scope& scope() const { return scope_; }
  void restore_scope(Scope scope) { scope_ = std::move(scope); }

 private:
  [[nodiscard]] isa::Operand operand(const isa::OperandInfo& row);
  [[nodiscard]] isa::Operand definition(const isa::OperandInfo& row);
  [[nodiscard]] isa::Operand tensor(const isa::OperandInfo& row);
  [[nodiscard]] isa::Operand tensor_register(const isa::OperandInfo& row);
  [[nodiscard]] isa::Operand constant(const isa::OperandInfo& row);
  [[nodiscard]] isa::Operand sizes();
  [[nodiscard]] isa::Operand real();
  [[nodiscard]] std::int64_t small_number();
  template <class Make>
  [[nodiscard]] isa::Operand list(std::size_t least, Make&& make);
  /// True when the type may stand there, beside those already chosen for this instruction.
  [[nodiscard]] bool allowed(const isa::OperandInfo& row, DType dtype);
  void choose(const isa::OperandInfo& row, DType dtype);
  [[nodiscard]] std::vector<std::int64_t> in_scope(RegisterKind kind) const;

  Choices& choices_;
  Program& program_;
  Scope scope_;
  std::vector<std::pair<char, DType>> variables_;  ///< of the instruction under construction
};

}  // namespace pliant::fuzz
