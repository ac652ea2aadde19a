#include "onnx/node.h"

#include <fmt/format.h>

#include <cmath>

namespace pliant::onnx {
namespace {

/// Longer constants stay tensors; as numbers they would only make the program long.
constexpr std::size_t kMaxWrittenNumbers = 16;

}  // namespace

bool Node::has_input(int index) const {
  return index < input_count() && inputs_[static_cast<std::size_t>(index)].given();
}

Operand Node::input(int index) {
  if (!has_input(index)) {
    refuse(ErrorCode::kCorrupt, fmt::format("a required input is missing: number {}", index));
    return {};
  }
  return inputs_[static_cast<std::size_t>(index)];
}

Operand Node::optional_input(int index) const {
  return has_input(index) ? inputs_[static_cast<std::size_t>(index)] : Operand{};
}

std::vector<Operand> Node::all_inputs() {
  std::vector<Operand> values;
  values.reserve(inputs_.size());
  if (inputs_.empty()) {
    (void)input(0);
  }
  for (int i = 0; i < input_count(); ++i) {
    values.push_back(input(i));
  }
  return values;
}

Operand Node::sizes(int index) {
  const Operand value = input(index);
  const auto numbers = emitter_.constant_integers(value);
  return numbers && numbers->size() <= kMaxWrittenNumbers ? isa::numbers(*numbers) : value;
}

Operand Node::optional_sizes(int index) {
  return has_input(index) ? sizes(index) : Operand{};
}

Operand Node::size(int index) {
  Operand value = input(index);
  if (emitter_.failed()) {
    return value;
  }
  if (const auto numbers = emitter_.constant_integers(value); numbers && numbers->size() == 1) {
    return isa::number(numbers->front());
  }
  if (dtype(value) == DType::kI64 || dtype(value) == DType::kI32) {
    return value;
  }
  return emit<isa::Cast>({value}, {{"to", isa::type(DType::kI64)}});
}

std::int64_t Node::integer(std::string_view name, std::int64_t default_value) {
  const proto::Attribute* attribute = attributes_.find(name);
  if (attribute == nullptr) {
    return default_value;
  }
  if (!attribute->has_i()) {
    // A writer may leave out a value of 0; any other type of value is a mistake.
    if (attribute->type() != proto::Attribute::INT) {
      refuse(ErrorCode::kCorrupt, fmt::format("an attribute is not a whole number: {}", name));
    }
    return 0;
  }
  return attribute->i();
}

std::int64_t Node::required_integer(std::string_view name) {
  if (!has_attribute(name)) {
    refuse(ErrorCode::kCorrupt, fmt::format("a required attribute is missing: {}", name));
  }
  return integer(name, 0);
}

double Node::real(std::string_view name, double default_value) {
  const proto::Attribute* attribute = attributes_.find(name);
  if (attribute == nullptr) {
    return default_value;
  }
  if (!attribute->has_f() && attribute->type() != proto::Attribute::FLOAT) {
    refuse(ErrorCode::kCorrupt, fmt::format("an attribute is not a number: {}", name));
  }
  return static_cast<double>(attribute->f());
}

std::string Node::text(std::string_view name, std::string_view default_value) {
  const proto::Attribute* attribute = attributes_.find(name);
  if (attribute == nullptr) {
    return std::string(default_value);
  }
  if (!attribute->has_s() && attribute->type() != proto::Attribute::STRING) {
    refuse(ErrorCode::kCorrupt, fmt::format("an attribute is not a text: {}", name));
  }
  return attribute->s();
}

std::optional<std::vector<std::int64_t>> Node::integer_list(std::string_view name) {
  const proto::Attribute* attribute = attributes_.find(name);
  if (attribute == nullptr) {
    return std::nullopt;
  }
  return std::vector<std::int64_t>(attribute->ints().begin(), attribute->ints().end());
}

Operand Node::integers(std::string_view name) {
  const auto values = integer_list(name);
  return values ? isa::numbers(*values) : Operand{};
}

Operand Node::reals(std::string_view name) {
  const proto::Attribute* attribute = attributes_.find(name);
  if (attribute == nullptr) {
    return {};
  }
  std::vector<Operand> values;
  for (const float value : attribute->floats()) {
    values.push_back(isa::real(static_cast<double>(value)));
  }
  return isa::list(std::move(values));
}

std::optional<std::vector<std::string>> Node::texts(std::string_view name) {
  const proto::Attribute* attribute = attributes_.find(name);
  if (attribute == nullptr) {
    return std::nullopt;
  }
  return std::vector<std::string>(attribute->strings().begin(), attribute->strings().end());
}

Operand Node::tensor(std::string_view name) {
  proto::Attribute* attribute = attributes_.find(name);
  if (attribute == nullptr) {
    return {};
  }
  if (!attribute->has_t()) {
    refuse(ErrorCode::kCorrupt, fmt::format("an attribute is not a tensor: {}", name));
    return {};
  }
  auto value = attributes_.tensors().read(*attribute->mutable_t());
  if (!value) {
    emitter_.fail(std::move(value.error()));
    return {};
  }
  const std::string& own_name = attribute->t().name();
  return isa::constant(
      emitter_.add_constant(own_name.empty() ? "constant" : own_name, std::move(*value)));
}

DType Node::element_type(std::string_view name, DType default_value) {
  if (!has_attribute(name)) {
    return default_value;
  }
  const std::int64_t number = integer(name, 0);
  auto dtype = read_element_type(number < 0 || number > INT32_MAX ? 0 : static_cast<int>(number));
  if (!dtype) {
    emitter_.fail(std::move(dtype.error()));
    return default_value;
  }
  return *dtype;
}

int Node::known_rank(const Operand& value) {
  const auto rank = emitter_.rank(value);
  if (!rank) {
    unsupported("the number of axes of its input is not known before the model runs");
  }
  return rank.value_or(0);
}

bool Node::wants_output(int index) const {
  return index < static_cast<int>(wanted_.size()) && wanted_[static_cast<std::size_t>(index)];
}

void Node::set_output(int index, Operand value) {
  if (wants_output(index)) {
    results_[static_cast<std::size_t>(index)] = std::move(value);
  }
}

Operand Node::output_register(int index) {
  if (!wants_output(index)) {
    return {};
  }
  Operand value = emitter_.new_tensor();
  set_output(index, value);
  return value;
}

void Node::refuse(ErrorCode code, std::string message) {
  emitter_.fail(Error{code, fmt::format("{}: {}", op_, message), {}});
}

void Node::refuse_text(std::string_view name, const std::string& word) {
  unsupported(fmt::format("attribute {} has a value that is not supported: '{}'", name, word));
}

}  // namespace pliant::onnx
