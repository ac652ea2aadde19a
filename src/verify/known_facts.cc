#include "verify/known_facts.h"

#include "tensor/element_values.h"
#include "verify/slots.h"

namespace pliant::verify {
namespace {

using isa::Form;
using semantics::Extent;
using semantics::ExtentList;
using semantics::facts_of;
using semantics::scalar_facts;
using semantics::TensorFacts;

TensorFacts declared_facts(const InputDeclaration& input, const std::vector<Extent>& symbols) {
  TensorFacts facts;
  facts.dtype = input.dtype;
  facts.rank_known = input.rank_known;
  for (const InputExtent& extent : input.shape) {
    const bool number = extent.kind == InputExtent::Kind::kNumber;
    facts.shape.push_back(number ? Extent(extent.value)
                                 : symbols[static_cast<std::size_t>(extent.value)]);
  }
  return facts;
}

}  // namespace

KnownFacts::KnownFacts(const Program& program)
    : program_(program), now_(static_cast<std::size_t>(Slots(program).count()), nullptr) {
  for (const std::string& name : program.symbols) {
    symbols_.push_back(pool_.new_symbol(name));
  }
}

void KnownFacts::visit(std::size_t instruction) {
  instruction_ = instruction;
  unknown_count_ = 0;
}

bool KnownFacts::is_tensor_register(const isa::Operand& operand) const {
  return operand.form == Form::kRegister &&
         program_.registers[static_cast<std::size_t>(operand.number)].kind == RegisterKind::kTensor;
}

TensorFacts KnownFacts::tensor(const isa::Operand& operand) const {
  const auto index = static_cast<std::size_t>(operand.number);
  if (is_tensor_register(operand)) {
    return now_[index]->tensor;
  }
  if (operand.form == Form::kConstant) {
    return facts_of(program_.constants[index].value.view);
  }
  if (operand.form == Form::kInput) {
    return declared_facts(program_.inputs[index], symbols_);
  }
  return scalar_facts(operand.form == Form::kReal ? DType::kF32 : DType::kI64);
}

Extent KnownFacts::size(const isa::Operand& operand) const {
  const auto index = static_cast<std::size_t>(operand.number);
  if (operand.form == Form::kRegister) {
    return now_[index]->size;
  }
  return operand.form == Form::kSymbol ? symbols_[index] : Extent(operand.number);
}

std::optional<ExtentList> KnownFacts::integers(const isa::Operand& operand) const {
  if (operand.form == Form::kReal || is_tensor_register(operand)) {
    return std::nullopt;
  }
  if (operand.form != Form::kConstant) {
    return ExtentList{size(operand)};
  }
  const TensorView& view = program_.constants[static_cast<std::size_t>(operand.number)].value.view;
  if (!holds_integers(view.dtype) || view.element_count() > kMaxElements) {
    return std::nullopt;
  }
  ExtentList values;
  for_each_integer(view, [&](std::int64_t value) { values.push_back(value); });
  return values;
}

std::optional<std::vector<double>> KnownFacts::reals(const isa::Operand& operand) const {
  if (operand.form == Form::kReal) {
    return std::vector{operand.real};
  }
  if (operand.form == Form::kNumber) {
    return std::vector{static_cast<double>(operand.number)};
  }
  if (operand.form != Form::kConstant) {
    return std::nullopt;
  }
  const TensorView& view = program_.constants[static_cast<std::size_t>(operand.number)].value.view;
  if (view.element_count() > kMaxElements) {
    return std::nullopt;
  }
  std::vector<double> values;
  for_each_real(view, [&](double value) { values.push_back(value); });
  return values;
}

Extent KnownFacts::unknown_extent() {
  std::vector<Extent>& extents = unknown_[instruction_];
  if (unknown_count_ == extents.size()) {
    extents.push_back(pool_.new_symbol("?"));
  }
  return extents[unknown_count_++];
}

Extent KnownFacts::measured(int which) {
  std::vector<Extent>& extents = measured_[instruction_];
  while (extents.size() <= static_cast<std::size_t>(which)) {
    extents.push_back(pool_.new_symbol("?"));
  }
  return extents[static_cast<std::size_t>(which)];
}

}  // namespace pliant::verify
