#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "isa/info.h"
#include "program/program.h"

namespace pliant {

/// Builds a program instruction by instruction: fills in defaults and creates registers. It checks
/// nothing that the verifier checks; a wrong field name is a bug of the caller and aborts.
class Builder {
 public:
  struct Field {
    std::string_view name;
    isa::Operand value;
  };

  explicit Builder(std::string source);

  [[nodiscard]] isa::Operand new_tensor();
  [[nodiscard]] isa::Operand new_size();

  /// Index of the symbol with this name; declares it when it is new.
  int symbol(const std::string& name);
  int add_input(InputDeclaration input);
  int add_output(std::string name);
  /// `value.storage` must be constant. The name is made unique by a suffix when it is taken.
  int add_constant(std::string name, StoredTensor value);

  /// Position that the next instruction will have, for labels.
  [[nodiscard]] std::int64_t next() const;

  /// Appends an instruction: results and positional operands in order, then named ones. Returns its
  /// index.
  std::size_t emit(isa::Opcode opcode, std::vector<isa::Operand> positional,
                   std::vector<Field> named = {});

  /// Sets a label operand of an instruction that was emitted before its target was known.
  void set_label(std::size_t instruction, int operand, std::int64_t target);

  /// What the instructions emitted from now on come from, for messages.
  void set_origin(std::string origin);

  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] Program take() { return std::move(program_); }

 private:
  Program program_;
  std::string origin_;
  std::unordered_set<std::string> constant_names_;
};

}  // namespace pliant
