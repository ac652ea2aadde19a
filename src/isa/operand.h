#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <pliant/dtype.h>

#include "isa/opcode.h"

namespace pliant::isa {

/// What stands in an operand's place. Order is encoded in bytecode: append only.
enum class Form : std::uint8_t {
  kAbsent,    ///< optional and not given, or a dropped result (`_`)
  kRegister,  ///< number: index into Program::registers
  kConstant,  ///< number: index into Program::constants
  kInput,     ///< number: index into Program::inputs
  kOutput,    ///< number: index into Program::outputs
  kSymbol,    ///< number: index into Program::symbols
  kNumber,    ///< number
  kReal,      ///< real
  kFlag,      ///< number: 0 or 1
  kChoice,    ///< number: position in the row's set
  kType,      ///< number: DType
  kLabel,     ///< number: index of an instruction, or the instruction count for the end
  kList,      ///< list
  kAxis,      ///< number: register, detail: axis, maybe negative
  kElement,   ///< number: register, detail: element number
};

/// One operand of one instruction in memory. A plain value; the row says which forms may stand
/// where. Sizes in canonical form: a kList of kNumber, kRegister (size) and kSymbol, or a kRegister
/// or kConstant that is an integer tensor. Size: one of the former, or the latter with one element.
struct Operand {
  Form form = Form::kAbsent;
  std::int64_t number = 0;
  std::int64_t detail = 0;
  double real = 0;
  std::vector<Operand> list;

  [[nodiscard]] bool given() const { return form != Form::kAbsent; }
  friend bool operator==(const Operand&, const Operand&) = default;
};

[[nodiscard]] inline Operand of_form(Form form, std::int64_t number) {
  Operand operand;
  operand.form = form;
  operand.number = number;
  return operand;
}
[[nodiscard]] inline Operand absent() {
  return {};
}
[[nodiscard]] inline Operand reg(std::int64_t index) {
  return of_form(Form::kRegister, index);
}
[[nodiscard]] inline Operand constant(std::int64_t index) {
  return of_form(Form::kConstant, index);
}
[[nodiscard]] inline Operand input(std::int64_t index) {
  return of_form(Form::kInput, index);
}
[[nodiscard]] inline Operand output(std::int64_t index) {
  return of_form(Form::kOutput, index);
}
[[nodiscard]] inline Operand symbol(std::int64_t index) {
  return of_form(Form::kSymbol, index);
}
[[nodiscard]] inline Operand number(std::int64_t value) {
  return of_form(Form::kNumber, value);
}
[[nodiscard]] inline Operand flag(bool value) {
  return of_form(Form::kFlag, value ? 1 : 0);
}
[[nodiscard]] inline Operand label(std::int64_t instruction) {
  return of_form(Form::kLabel, instruction);
}
[[nodiscard]] inline Operand type(DType dtype) {
  return of_form(Form::kType, static_cast<std::int64_t>(dtype));
}
template <class Set>
[[nodiscard]] Operand choice(Set value) {
  return of_form(Form::kChoice, static_cast<std::int64_t>(value));
}
[[nodiscard]] inline Operand real(double value) {
  Operand operand = of_form(Form::kReal, 0);
  operand.real = value;
  return operand;
}
[[nodiscard]] inline Operand list(std::vector<Operand> items) {
  Operand operand = of_form(Form::kList, 0);
  operand.list = std::move(items);
  return operand;
}
template <class Range>
[[nodiscard]] Operand numbers(const Range& values) {
  std::vector<Operand> items;
  items.reserve(values.size());
  for (const auto value : values) {
    items.push_back(number(value));
  }
  return list(std::move(items));
}
[[nodiscard]] inline Operand axis_of(std::int64_t register_index, std::int64_t axis) {
  Operand operand = of_form(Form::kAxis, register_index);
  operand.detail = axis;
  return operand;
}
[[nodiscard]] inline Operand element_of(std::int64_t register_index, std::int64_t element) {
  Operand operand = of_form(Form::kElement, register_index);
  operand.detail = element;
  return operand;
}

/// One instruction in memory: as many operands as its row has, in the row's order.
struct Instruction {
  Opcode opcode{};
  std::vector<Operand> operands;

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

}  // namespace pliant::isa
