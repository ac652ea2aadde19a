#include "onnx/known_values.h"

#include "tensor/dtype.h"
#include "tensor/element_values.h"

namespace pliant::onnx {
namespace {

using isa::Form;
using semantics::Extent;
using semantics::ExtentList;
using semantics::facts_of;
using semantics::scalar_facts;
using semantics::TensorFacts;

/// Longer constants are data, not shapes, bounds or scales.
constexpr std::int64_t kMaxReadElements = 1024;

template <class T>
void grow_to(std::vector<T>& items, std::size_t index) {
  if (items.size() <= index) {
    items.resize(index + 1);
  }
}

}  // namespace

void KnownValues::set_tensor(std::int64_t register_index, const TensorFacts& facts) {
  const auto index = static_cast<std::size_t>(register_index);
  grow_to(tensors_, index);
  tensors_[index] = facts;
}

void KnownValues::set_size(std::int64_t register_index, Extent value) {
  const auto index = static_cast<std::size_t>(register_index);
  grow_to(sizes_, index);
  sizes_[index] = value;
}

Extent KnownValues::symbol(std::size_t index) {
  while (symbols_.size() <= index) {
    symbols_.push_back(pool_.new_symbol(program_.symbols[symbols_.size()]));
  }
  return symbols_[index];
}

Extent KnownValues::extent(const InputExtent& declared) {
  return declared.kind == InputExtent::Kind::kNumber
             ? Extent(declared.value)
             : symbol(static_cast<std::size_t>(declared.value));
}

TensorFacts KnownValues::tensor(const Operand& operand) const {
  const auto index = static_cast<std::size_t>(operand.number);
  if (operand.form == Form::kReal) {
    return scalar_facts(DType::kF32);
  }
  if (operand.form == Form::kConstant) {
    return facts_of(program_.constants[index].value.view);
  }
  if (operand.form == Form::kRegister && program_.registers[index].kind == RegisterKind::kTensor) {
    return index < tensors_.size() ? tensors_[index] : TensorFacts{};
  }
  return scalar_facts(DType::kI64);  // a size
}

Extent KnownValues::size(const Operand& operand) const {
  const auto index = static_cast<std::size_t>(operand.number);
  if (operand.form == Form::kNumber) {
    return operand.number;
  }
  if (operand.form == Form::kSymbol) {
    return symbols_[index];
  }
  return index < sizes_.size() ? sizes_[index] : Extent();
}

std::optional<ExtentList> KnownValues::integers(const Operand& operand) const {
  if (operand.form == Form::kRegister &&
      program_.registers[static_cast<std::size_t>(operand.number)].kind == RegisterKind::kSize) {
    return ExtentList{size(operand)};
  }
  if (operand.form != Form::kConstant) {
    return std::nullopt;
  }
  const TensorView& view = program_.constants[static_cast<std::size_t>(operand.number)].value.view;
  if (view.element_count() > kMaxReadElements || !is_integer(view.dtype)) {
    return std::nullopt;
  }
  ExtentList values;
  for_each_integer(view, [&](std::int64_t value) { values.push_back(value); });
  return values;
}

std::optional<std::vector<double>> KnownValues::reals(const Operand& operand) const {
  if (operand.form == Form::kReal) {
    return std::vector<double>{operand.real};
  }
  if (operand.form != Form::kConstant) {
    return std::nullopt;
  }
  const TensorView& view = program_.constants[static_cast<std::size_t>(operand.number)].value.view;
  if (view.element_count() > kMaxReadElements || !is_float(view.dtype)) {
    return std::nullopt;
  }
  std::vector<double> values;
  for_each_real(view, [&](double value) { values.push_back(value); });
  return values;
}

Extent KnownValues::unknown_extent() {
  return pool_.new_symbol("?");
}

Extent KnownValues::measured(int) {
  return unknown_extent();
}

}  // namespace pliant::onnx
