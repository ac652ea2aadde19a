#include "verify/known_facts.h"

#include <limits>
#include <type_traits>

#include "base/half.h"
#include "tensor/dtype.h"
#include "verify/slots.h"

namespace pliant::verify {
namespace {

using isa::Form;
using semantics::Extent;
using semantics::ExtentList;
using semantics::TensorFacts;

TensorFacts facts_of(const InputDeclaration& input, const std::vector<Extent>& symbols) {
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

TensorFacts facts_of(const TensorView& view) {
  TensorFacts facts;
  facts.dtype = view.dtype;
  facts.rank_known = true;
  for (const std::int64_t extent : view.shape) {
    facts.shape.push_back(extent);
  }
  return facts;
}

TensorFacts scalar(DType dtype) {
  TensorFacts facts;
  facts.dtype = dtype;
  facts.rank_known = true;
  return facts;
}

double as_double(Half value) {
  return static_cast<double>(to_float(value));
}
double as_double(BFloat16 value) {
  return static_cast<double>(to_float(value));
}
template <class T>
double as_double(T value) {
  return static_cast<double>(value);
}

/// Calls visit(value) for each element of a small row-major constant.
template <class Visit>
void for_each_element(const TensorView& view, Visit&& visit) {
  visit_dtype(view.dtype, [&](auto type) {
    const auto* values = view.as<const decltype(type)>();
    for (std::int64_t i = 0; i < view.element_count(); ++i) {
      visit(values[i]);
    }
  });
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
    return facts_of(program_.inputs[index], symbols_);
  }
  return scalar(operand.form == Form::kReal ? DType::kF32 : DType::kI64);
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
  if (is_float(view.dtype) || view.element_count() > kMaxElements) {
    return std::nullopt;
  }
  ExtentList values;
  for_each_element(view, [&](auto value) {
    using T = decltype(value);
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      constexpr auto kLargest = static_cast<T>(std::numeric_limits<std::int64_t>::max());
      values.push_back(static_cast<std::int64_t>(value < kLargest ? value : kLargest));
    } else if constexpr (std::is_integral_v<T>) {
      values.push_back(static_cast<std::int64_t>(value));
    }
  });
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
  for_each_element(view, [&](auto value) { values.push_back(as_double(value)); });
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
