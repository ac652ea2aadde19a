#include "program/builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace pliant {
namespace {

isa::Operand default_operand(const isa::Default& value) {
  isa::Operand operand;
  operand.form = value.form;
  operand.number = value.number;
  operand.real = value.real;
  return operand;
}

}  // namespace

Builder::Builder(std::string source) {
  program_.source = std::move(source);
}

isa::Operand Builder::new_tensor() {
  program_.registers.push_back({RegisterKind::kTensor, std::nullopt, std::nullopt});
  return isa::reg(static_cast<std::int64_t>(program_.registers.size()) - 1);
}

isa::Operand Builder::new_size() {
  program_.registers.push_back({RegisterKind::kSize, std::nullopt, std::nullopt});
  return isa::reg(static_cast<std::int64_t>(program_.registers.size()) - 1);
}

int Builder::symbol(const std::string& name) {
  const auto found = std::find(program_.symbols.begin(), program_.symbols.end(), name);
  if (found == program_.symbols.end()) {
    program_.symbols.push_back(name);
    return static_cast<int>(program_.symbols.size()) - 1;
  }
  return static_cast<int>(found - program_.symbols.begin());
}

int Builder::add_input(InputDeclaration input) {
  program_.inputs.push_back(std::move(input));
  return static_cast<int>(program_.inputs.size()) - 1;
}

int Builder::add_output(std::string name) {
  program_.outputs.push_back({std::move(name)});
  return static_cast<int>(program_.outputs.size()) - 1;
}

int Builder::add_constant(std::string name, StoredTensor value) {
  PLIANT_CHECK(value.is_constant());
  std::string unique = name;
  for (int suffix = 1; !constant_names_.insert(unique).second; ++suffix) {
    unique = fmt::format("{}.{}", name, suffix);
  }
  program_.constants.push_back({std::move(unique), std::move(value), std::nullopt});
  return static_cast<int>(program_.constants.size()) - 1;
}

std::int64_t Builder::next() const {
  return static_cast<std::int64_t>(program_.instructions.size());
}

std::size_t Builder::emit(isa::Opcode opcode, std::vector<isa::Operand> positional,
                          std::vector<Field> named) {
  const isa::InstructionInfo& row = isa::info(opcode);
  isa::Instruction instruction;
  instruction.opcode = opcode;
  std::size_t next_positional = 0;
  for (const isa::OperandInfo& operand : row.operands) {
    if (operand.is_positional()) {
      PLIANT_CHECK_LT(next_positional, positional.size());
      instruction.operands.push_back(std::move(positional[next_positional++]));
    } else {
      instruction.operands.push_back(default_operand(operand.default_value));
    }
  }
  PLIANT_CHECK_EQ(next_positional, positional.size());
  for (Field& field : named) {
    const int index = isa::operand_index(row, field.name);
    PLIANT_CHECK_LE(0, index);
    instruction.operands[static_cast<std::size_t>(index)] = std::move(field.value);
  }
  program_.instructions.push_back(std::move(instruction));
  program_.places.push_back({0, 0, origin_});
  return program_.instructions.size() - 1;
}

void Builder::set_label(std::size_t instruction, int operand, std::int64_t target) {
  program_.instructions[instruction].operands[static_cast<std::size_t>(operand)] =
      isa::label(target);
}

void Builder::set_origin(std::string origin) {
  origin_ = std::move(origin);
}

}  // namespace pliant
