#include "interp/known_values.h"

#include "interp/frame.h"
#include "tensor/element_values.h"

namespace pliant::interp {

using isa::Form;
using semantics::Extent;
using semantics::ExtentList;
using semantics::facts_of;
using semantics::scalar_facts;
using semantics::TensorFacts;

const TensorView* KnownValues::view(const isa::Operand& operand) const {
  if (operand.form == Form::kConstant) {
    return &program_.constant(static_cast<int>(operand.number)).view;
  }
  const bool is_tensor =
      operand.form == Form::kRegister &&
      program_.program().registers[static_cast<std::size_t>(operand.number)].kind ==
          RegisterKind::kTensor;
  return is_tensor ? &frame_.tensor(static_cast<int>(operand.number)).value.view : nullptr;
}

TensorFacts KnownValues::tensor(const isa::Operand& operand) const {
  if (const TensorView* tensor = view(operand)) {
    return facts_of(*tensor);
  }
  return scalar_facts(operand.form == Form::kReal ? DType::kF32 : DType::kI64);
}

Extent KnownValues::size(const isa::Operand& operand) const {
  const auto index = static_cast<std::size_t>(operand.number);
  switch (operand.form) {
    case Form::kRegister:
      return frame_.sizes[index];
    case Form::kSymbol:
      return frame_.symbols[index];
    default:
      return operand.number;
  }
}

std::optional<ExtentList> KnownValues::integers(const isa::Operand& operand) const {
  const TensorView* tensor = view(operand);
  if (tensor == nullptr) {
    return operand.form == Form::kReal ? std::nullopt : std::optional(ExtentList{size(operand)});
  }
  if (!holds_integers(tensor->dtype) || tensor->element_count() > kMaxElements) {
    return std::nullopt;
  }
  ExtentList values;
  values.reserve(static_cast<std::size_t>(tensor->element_count()));
  for_each_integer(*tensor, [&](std::int64_t value) { values.push_back(value); });
  return values;
}

std::optional<std::vector<double>> KnownValues::reals(const isa::Operand& operand) const {
  const TensorView* tensor = view(operand);
  if (tensor == nullptr) {
    return std::vector{operand.form == Form::kReal ? operand.real
                                                   : static_cast<double>(size(operand).number())};
  }
  if (tensor->element_count() > kMaxElements) {
    return std::nullopt;
  }
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(tensor->element_count()));
  for_each_real(*tensor, [&](double value) { values.push_back(value); });
  return values;
}

// A rule that asks for this could not find a shape although all is known: setting a result to
// "overflow" is refused, so the run ends with an error instead of a wrong shape.
Extent KnownValues::unknown_extent() {
  return Extent::overflow();
}

Extent KnownValues::measured(int which) {
  return frame_.measured[static_cast<std::size_t>(which)];
}

}  // namespace pliant::interp
