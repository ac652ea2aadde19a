#include "plan/graph_facts.h"

#include "tensor/element_values.h"

namespace pliant::plan {

using isa::Form;
using semantics::Extent;
using semantics::ExtentList;
using semantics::TensorFacts;

std::optional<ExtentList> constant_elements(const TensorView& view) {
  if (!holds_integers(view.dtype) || view.element_count() > GraphFacts::kMaxElements) {
    return std::nullopt;
  }
  ExtentList elements;
  for_each_integer(view, [&](std::int64_t value) { elements.push_back(value); });
  return elements;
}

TensorFacts GraphFacts::tensor(const isa::Operand& operand) const {
  if (operand.form == Form::kRegister) {
    return graph_.values[static_cast<std::size_t>(operand.number)].facts;
  }
  return semantics::scalar_facts(DType::kI64);
}

Extent GraphFacts::size(const isa::Operand& operand) const {
  if (operand.form == Form::kSymbol) {
    return graph_.extents[static_cast<std::size_t>(operand.number)];
  }
  return operand.number;
}

std::optional<ExtentList> GraphFacts::integers(const isa::Operand& operand) const {
  if (operand.form != Form::kRegister) {
    return ExtentList{size(operand)};
  }
  return graph_.values[static_cast<std::size_t>(operand.number)].elements;
}

std::optional<std::vector<double>> GraphFacts::reals(const isa::Operand& operand) const {
  if (operand.form != Form::kRegister) {
    return std::nullopt;
  }
  const Value& value = graph_.values[static_cast<std::size_t>(operand.number)];
  if (value.kind != Value::Kind::kConstant) {
    return std::nullopt;
  }
  const TensorView& view = graph_.constants[static_cast<std::size_t>(value.index)].view;
  if (view.element_count() > kMaxElements) {
    return std::nullopt;
  }
  std::vector<double> elements;
  for_each_real(view, [&](double element) { elements.push_back(element); });
  return elements;
}

Extent GraphFacts::unknown_extent() {
  asked_for_unknown_ = true;
  return 0;
}

Extent GraphFacts::measured(int) {
  return unknown_extent();
}

}  // namespace pliant::plan
