#include "plan/run_facts.h"

#include "plan/graph_facts.h"
#include "tensor/element_values.h"

namespace pliant::plan {

using isa::Form;
using semantics::Extent;
using semantics::ExtentList;
using semantics::TensorFacts;

TensorFacts RunFacts::tensor(const isa::Operand& operand) const {
  if (operand.form == Form::kRegister) {
    const PlanValue& value = plan_.values[static_cast<std::size_t>(operand.number)];
    TensorFacts facts;
    facts.dtype = value.dtype;
    facts.rank_known = true;
    for (const Slot& slot : value.shape) {
      facts.shape.push_back(slot.value(slots_));
    }
    return facts;
  }
  return semantics::scalar_facts(DType::kI64);
}

Extent RunFacts::size(const isa::Operand& operand) const {
  if (operand.form == Form::kSymbol) {
    return plan_.extents[static_cast<std::size_t>(operand.number)].value(slots_);
  }
  return operand.number;
}

std::optional<ExtentList> RunFacts::integers(const isa::Operand& operand) const {
  if (operand.form != Form::kRegister) {
    return ExtentList{size(operand)};
  }
  const PlanValue& value = plan_.values[static_cast<std::size_t>(operand.number)];
  if (value.kind == Value::Kind::kConstant) {
    return constant_elements(plan_.constants[static_cast<std::size_t>(value.index)].view);
  }
  if (!value.elements) {
    return std::nullopt;
  }
  ExtentList elements;
  for (const Slot& slot : *value.elements) {
    elements.push_back(slot.value(slots_));
  }
  return elements;
}

std::optional<std::vector<double>> RunFacts::reals(const isa::Operand& operand) const {
  if (operand.form != Form::kRegister) {
    return std::nullopt;
  }
  const PlanValue& value = plan_.values[static_cast<std::size_t>(operand.number)];
  if (value.kind != Value::Kind::kConstant) {
    return std::nullopt;
  }
  const TensorView& view = plan_.constants[static_cast<std::size_t>(value.index)].view;
  if (view.element_count() > GraphFacts::kMaxElements) {
    return std::nullopt;
  }
  std::vector<double> elements;
  for_each_real(view, [&](double element) { elements.push_back(element); });
  return elements;
}

// What a rule cannot say ends in a refusal, and the interpreter takes the run.
Extent RunFacts::unknown_extent() {
  return Extent::overflow();
}

Extent RunFacts::measured(int) {
  return Extent::overflow();
}

}  // namespace pliant::plan
