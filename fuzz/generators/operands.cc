#include "generators/operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "tensor/dtype.h"
#include "text/numbers.h"

namespace pliant::fuzz {

using isa::Form;
using isa::Operand;
using isa::OperandInfo;
using isa::OperandKind;

isa::Instruction OperandGenerator::instruction(const isa::InstructionInfo& row) {
  variables_.clear();
  isa::Instruction result;
  result.opcode = row.opcode;
  result.operands.resize(row.operands.size());
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const isa::Default& value = row.operands[i].default_value;
    constexpr std::size_t kOftenDefault = 70;
    if (value.presence == isa::Default::Presence::kOptional && choices_.percent(kOftenDefault)) {
      result.operands[i] = Operand{value.form, value.number, 0, value.real, {}};
    } else {
      result.operands[i] = operand(row.operands[i]);
    }
  }
  return result;
}

Operand OperandGenerator::operand(const OperandInfo& row) {
  switch (row.kind) {
    case OperandKind::kTensorDef:
    case OperandKind::kSizeDef:
    case OperandKind::kAnyDef:
      return definition(row);
    case OperandKind::kTensorDefs:
      return list(1, [&] { return definition(row); });
    case OperandKind::kTensorUse:
    case OperandKind::kAnyUse:
      return tensor(row);
    case OperandKind::kTensorUses:
      return list(1, [&] { return tensor(row); });
    case OperandKind::kTensorAxis:
      return isa::axis_of(tensor_register(row).number, small_number());
    case OperandKind::kTensorElement:
      return isa::element_of(tensor_register(row).number,
                             static_cast<std::int64_t>(choices_.below(3)));
    case OperandKind::kSize:
      return size();
    case OperandKind::kSizes:
      return sizes();
    case OperandKind::kNumbers:
    case OperandKind::kReals:
      return list(0, [&] { return real(); });
    case OperandKind::kInteger:
      return isa::number(small_number());
    case OperandKind::kIntegers:
      return list(0, [&] { return isa::number(static_cast<std::int64_t>(choices_.below(4))); });
    case OperandKind::kReal:
      return real();
    case OperandKind::kFlag:
      return isa::flag(choices_.percent(50));
    case OperandKind::kChoice:
    case OperandKind::kChoices: {
      const std::size_t count = isa::choice_words(row.choices).size();
      const auto word = [&] {
        return isa::of_form(Form::kChoice, static_cast<std::int64_t>(choices_.below(count)));
      };
      return row.kind == OperandKind::kChoice ? word() : list(0, word);
    }
    case OperandKind::kType:
      return isa::type(static_cast<DType>(choices_.below(kDTypeCount)));
    case OperandKind::kInputName:
      return isa::input(static_cast<std::int64_t>(choices_.below(program_.inputs.size())));
    case OperandKind::kConstantName:
      return constant(row);
    case OperandKind::kOutputName:
    case OperandKind::kLabel:
      return isa::absent();  // the generator writes stores and branches itself
  }
  return isa::absent();
}

Operand OperandGenerator::new_register(RegisterKind kind) {
  program_.registers.push_back({kind, std::nullopt, std::nullopt});
  return isa::reg(static_cast<std::int64_t>(program_.registers.size()) - 1);
}

std::vector<std::int64_t> OperandGenerator::in_scope(RegisterKind kind) const {
  std::vector<std::int64_t> found;
  for (const std::int64_t reg : scope_) {
    if (program_.registers[static_cast<std::size_t>(reg)].kind == kind) {
      found.push_back(reg);
    }
  }
  return found;
}

Operand OperandGenerator::definition(const OperandInfo& row) {
  const bool any_size = row.kind == OperandKind::kAnyDef && choices_.percent(30);
  const RegisterKind kind =
      row.kind == OperandKind::kSizeDef || any_size ? RegisterKind::kSize : RegisterKind::kTensor;
  // Writing a register again makes loops carry values and paths meet.
  const auto existing = in_scope(kind);
  if (!existing.empty() && choices_.percent(25)) {
    return isa::reg(existing[choices_.below(existing.size())]);
  }
  return new_register(kind);
}

bool OperandGenerator::allowed(const OperandInfo& row, DType dtype) {
  const char variable = isa::info(row.constraint).variable;
  const auto chosen = std::find_if(variables_.begin(), variables_.end(),
                                   [&](const auto& entry) { return entry.first == variable; });
  return (row.constraint == isa::TypeConstraint::kNone || isa::allows(row.constraint, dtype)) &&
         (chosen == variables_.end() || chosen->second == dtype);
}

void OperandGenerator::choose(const OperandInfo& row, DType dtype) {
  if (const char variable = isa::info(row.constraint).variable; variable != 0) {
    variables_.emplace_back(variable, dtype);
  }
}

Operand OperandGenerator::tensor_register(const OperandInfo& row) {
  std::vector<std::int64_t> fitting;
  for (const std::int64_t reg : in_scope(RegisterKind::kTensor)) {
    const auto dtype = program_.registers[static_cast<std::size_t>(reg)].dtype;
    if (dtype && allowed(row, *dtype)) {
      fitting.push_back(reg);
    }
  }
  if (fitting.empty()) {
    return isa::reg(0);  // the verifier will refuse it
  }
  // Newer values are more interesting.
  const std::size_t skip = choices_.percent(50) ? choices_.below(fitting.size()) : 0;
  const std::int64_t reg = fitting[fitting.size() - 1 - skip];
  choose(row, *program_.registers[static_cast<std::size_t>(reg)].dtype);
  return isa::reg(reg);
}

Operand OperandGenerator::tensor(const OperandInfo& row) {
  const std::size_t kind = choices_.below(10);
  if (kind == 0) {
    return constant(row);
  }
  if (kind == 1 && allowed(row, DType::kF32)) {
    choose(row, DType::kF32);
    return real();
  }
  if (kind == 2 && allowed(row, DType::kI64)) {
    choose(row, DType::kI64);
    return size();
  }
  return tensor_register(row);
}

Operand OperandGenerator::constant(const OperandInfo& row) {
  DType dtype = DType::kF32;
  for (int attempt = 0; attempt < 20; ++attempt) {
    dtype = static_cast<DType>(choices_.below(kDTypeCount));
    if (allowed(row, dtype)) {
      break;
    }
  }
  choose(row, dtype);
  Shape shape;
  for (std::size_t rank = choices_.below(4); rank > 0; --rank) {
    shape.push_back(static_cast<std::int64_t>(choices_.below(4)));
  }
  Constant made;
  made.name = fmt::format("c{}", program_.constants.size());
  made.value = make_constant(dtype, shape);
  auto* data = made.value.view.as<std::byte>();
  for (std::int64_t i = 0; i < made.value.view.element_count(); ++i) {
    const std::size_t value = choices_.below(3);
    const std::string text =
        dtype == DType::kBool ? (value > 0 ? "true" : "false") : fmt::format("{}", value);
    const bool fits =
        text::parse_element(text, dtype, data + static_cast<std::size_t>(i) * byte_size(dtype));
    static_cast<void>(fits);  // 0, 1 and 2 fit every number
  }
  program_.constants.push_back(std::move(made));
  return isa::constant(static_cast<std::int64_t>(program_.constants.size()) - 1);
}

std::int64_t OperandGenerator::small_number() {
  return static_cast<std::int64_t>(choices_.below(6)) - 2;
}

Operand OperandGenerator::size() {
  const std::size_t kind = choices_.below(4);
  const auto registers = in_scope(RegisterKind::kSize);
  if (kind == 0 && !program_.symbols.empty()) {
    return isa::symbol(static_cast<std::int64_t>(choices_.below(program_.symbols.size())));
  }
  if (kind == 1 && !registers.empty()) {
    return isa::reg(registers[choices_.below(registers.size())]);
  }
  return isa::number(small_number());
}

Operand OperandGenerator::sizes() {
  if (choices_.percent(10)) {
    static constexpr OperandInfo kVector{.field = "sizes",
                                         .kind = OperandKind::kTensorUse,
                                         .constraint = isa::TypeConstraint::kI64,
                                         .choices = isa::ChoiceSet::kNone,
                                         .default_value = {},
                                         .doc = ""};
    return tensor_register(kVector);
  }
  return list(0, [&] { return size(); });
}

Operand OperandGenerator::real() {
  static constexpr std::array kReals = {0.0, 1.0, 0.5, -1.0, 2.0, 1e-5, 1e30};
  return isa::real(kReals[choices_.below(kReals.size())]);
}

template <class Make>
Operand OperandGenerator::list(std::size_t least, Make&& make) {
  Operand result = isa::list({});
  for (std::size_t count = least + choices_.below(4); count > 0; --count) {
    result.list.push_back(make());
  }
  return result;
}

void OperandGenerator::enter_scope(const isa::Instruction& instruction) {
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  const auto enter = [&](const Operand& definition) {
    if (definition.form == Form::kRegister &&
        std::find(scope_.begin(), scope_.end(), definition.number) == scope_.end()) {
      scope_.push_back(definition.number);
    }
  };
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (row.operands[i].is_definition()) {
      enter(instruction.operands[i]);
      std::for_each(instruction.operands[i].list.begin(), instruction.operands[i].list.end(),
                    enter);
    }
  }
}

}  // namespace pliant::fuzz
