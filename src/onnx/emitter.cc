#include "onnx/emitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/half.h"
#include "tensor/dtype.h"

namespace pliant::onnx {

using semantics::TensorFacts;

namespace {

/// The nearest value of an integer type; 0 for NaN.
template <class Integer>
Integer saturate(double value) {
  if (std::isnan(value)) {
    return 0;
  }
  if (value <= static_cast<double>(std::numeric_limits<Integer>::lowest())) {
    return std::numeric_limits<Integer>::lowest();
  }
  if (value >= static_cast<double>(std::numeric_limits<Integer>::max())) {
    return std::numeric_limits<Integer>::max();
  }
  return static_cast<Integer>(value);
}

}  // namespace

Emitter::Emitter(std::string source) : builder_(std::move(source)), known_(builder_.program()) {}

Operand Emitter::new_tensor() {
  return builder_.new_tensor();
}

Operand Emitter::emit(isa::Opcode opcode, std::vector<Operand> operands, Fields fields) {
  Operand result = new_tensor();
  operands.insert(operands.begin(), result);
  emit_with_results(opcode, std::move(operands), std::move(fields));
  return result;
}

void Emitter::emit_with_results(isa::Opcode opcode, std::vector<Operand> operands, Fields fields) {
  if (failed()) {
    return;
  }
  const std::size_t index = builder_.emit(opcode, std::move(operands), std::move(fields));
  infer(builder_.program().instructions[index]);
}

void Emitter::infer(const isa::Instruction& instruction) {
  semantics::InferenceContext context(instruction, known_);
  if (Status status = context.infer(); !status) {
    fail(std::move(status.error()));
    return;
  }
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    if (!row.operands[i].is_definition() || !operand.given()) {
      continue;
    }
    const int position = static_cast<int>(i);
    if (row.operands[i].kind == isa::OperandKind::kSizeDef) {
      known_.set_size(operand.number, context.size_result());
    } else if (operand.form == isa::Form::kList) {
      for (std::size_t part = 0; part < operand.list.size(); ++part) {
        if (operand.list[part].given()) {
          known_.set_tensor(operand.list[part].number,
                            context.result(position, static_cast<int>(part)));
        }
      }
    } else {
      known_.set_tensor(operand.number, context.result(position));
    }
  }
}

Operand Emitter::extent(const Operand& tensor, std::int64_t axis) {
  if (const auto known = shape(tensor);
      known && axis >= 0 && axis < static_cast<std::int64_t>(known->size())) {
    if (const semantics::Extent& extent = (*known)[static_cast<std::size_t>(axis)];
        extent.is_number()) {
      return isa::number(extent.number());
    }
  }
  Operand result = builder_.new_size();
  const Operand source =
      tensor.form == isa::Form::kRegister ? tensor : emit(isa::Opcode::kMoveReg, {tensor});
  emit_with_results(isa::Opcode::kQueryShape, {result, isa::axis_of(source.number, axis)});
  return result;
}

Operand Emitter::size(isa::Opcode opcode, const Operand& lhs, const Operand& rhs) {
  Operand result = builder_.new_size();
  emit_with_results(opcode, {result, lhs, rhs});
  return result;
}

Operand Emitter::add_input(InputDeclaration declaration) {
  TensorFacts facts;
  facts.dtype = declaration.dtype;
  facts.rank_known = declaration.rank_known;
  for (const InputExtent& extent : declaration.shape) {
    facts.shape.push_back(known_.extent(extent));
  }
  const int input = builder_.add_input(std::move(declaration));
  Operand value = new_tensor();
  builder_.emit(isa::Opcode::kLoadTensor, {value, isa::input(input)});
  known_.set_tensor(value.number, facts);
  return value;
}

void Emitter::add_output(const std::string& name, const Operand& value) {
  const int output = builder_.add_output(name);
  builder_.emit(isa::Opcode::kStoreTensor, {isa::output(output), value});
}

int Emitter::symbol(const std::string& name) {
  const auto [entry, is_new] = symbols_.try_emplace(name, 0);
  if (is_new) {
    entry->second = builder_.symbol(name);
  }
  return entry->second;
}

int Emitter::add_constant(std::string name, StoredTensor value) {
  return builder_.add_constant(std::move(name), std::move(value));
}

Operand Emitter::scalar(DType dtype, double value) {
  const auto [entry, is_new] = scalars_.try_emplace({dtype, std::bit_cast<std::uint64_t>(value)});
  if (is_new) {
    StoredTensor tensor = make_constant(dtype, {});
    visit_dtype(dtype, [&](auto element) {
      using Element = decltype(element);
      auto* target = tensor.view.as<Element>();
      if constexpr (std::is_same_v<Element, Half>) {
        *target = to_half(static_cast<float>(value));
      } else if constexpr (std::is_same_v<Element, BFloat16>) {
        *target = to_bfloat16(static_cast<float>(value));
      } else if constexpr (std::is_same_v<Element, bool>) {
        *target = value != 0;
      } else if constexpr (std::is_integral_v<Element>) {
        *target = saturate<Element>(value);
      } else {
        *target = static_cast<Element>(value);
      }
    });
    entry->second =
        isa::constant(add_constant(fmt::format("{}_{}", value, name(dtype)), std::move(tensor)));
  }
  return entry->second;
}

Operand Emitter::vector(const std::vector<std::int64_t>& values) {
  StoredTensor tensor = make_constant(DType::kI64, {static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), tensor.view.as<std::int64_t>());
  return isa::constant(add_constant("numbers", std::move(tensor)));
}

DType Emitter::dtype(const Operand& value) const {
  return known_.tensor(value).dtype;
}

std::optional<semantics::ExtentShape> Emitter::shape(const Operand& value) const {
  const TensorFacts facts = known_.tensor(value);
  return facts.rank_known ? std::optional(facts.shape) : std::nullopt;
}

std::optional<int> Emitter::rank(const Operand& value) const {
  const TensorFacts facts = known_.tensor(value);
  return facts.rank_known ? std::optional(static_cast<int>(facts.shape.size())) : std::nullopt;
}

const TensorView* Emitter::constant(const Operand& value) const {
  return value.form == isa::Form::kConstant
             ? &builder_.program().constants[static_cast<std::size_t>(value.number)].value.view
             : nullptr;
}

std::optional<std::vector<std::int64_t>> Emitter::constant_integers(const Operand& value) const {
  const auto values = known_.integers(value);
  if (constant(value) == nullptr || !values) {
    return std::nullopt;
  }
  std::vector<std::int64_t> numbers;
  for (const semantics::Extent& extent : *values) {
    numbers.push_back(extent.number());
  }
  return numbers;
}

void Emitter::set_origin(std::string origin) {
  origin_ = origin;
  builder_.set_origin(std::move(origin));
}

void Emitter::fail(Error error) {
  if (!error_) {
    if (error.where.empty()) {
      error.where = origin_;
    }
    error_ = std::move(error);
  }
}

Status Emitter::status() const {
  return error_ ? Status(*error_) : Status();
}

}  // namespace pliant::onnx
