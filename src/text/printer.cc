#include "text/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/check.h"
#include "isa/info.h"
#include "tensor/dtype.h"
#include "text/names.h"
#include "text/numbers.h"

namespace pliant::text {
namespace {

using isa::Form;
using isa::Operand;

class Printer {
 public:
  Printer(const Program& program, const PrintOptions& options)
      : program_(program), options_(options) {}

  std::string print();

 private:
  void number_labels();
  void set_label(std::size_t instruction);
  void input(const InputDeclaration& input);
  void constant(const Constant& constant);
  void listed_values(const Constant& constant);
  void instruction(std::size_t index);
  void operand(const isa::OperandInfo& row, const Operand& operand);
  void list(const isa::OperandInfo& row, const Operand& operand);
  void symbol(std::int64_t index);
  template <class... Values>
  void append(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  const Program& program_;
  const PrintOptions& options_;
  std::string text_;
  std::unordered_map<std::int64_t, std::size_t> labels_;
  std::unordered_set<std::string_view> constant_names_;
};

/// Equal as programs are: reals by their bits, so that a NaN default is a default.
bool is_default(const Operand& operand, const isa::Default& value) {
  return value.presence == isa::Default::Presence::kOptional && operand.form == value.form &&
         operand.number == value.number &&
         (operand.form != Form::kReal ||
          std::bit_cast<std::uint64_t>(operand.real) == std::bit_cast<std::uint64_t>(value.real));
}

/// True when all elements, of which there is more than one, have the same bits.
bool is_uniform(const TensorView& view) {
  const std::size_t bytes = byte_size(view.dtype);
  const auto count = static_cast<std::size_t>(view.element_count());
  const auto* data = view.as<const std::byte>();
  // Comparing the values with themselves one element later compares each with its neighbour.
  return count > 1 && std::memcmp(data, data + bytes, (count - 1) * bytes) == 0;
}

/// A file may claim any seed for its bytes; the text must not depend on the claim.
bool is_seeded(const Constant& constant) {
  const TensorView& view = constant.value.view;
  if (!constant.seed || view.dtype != DType::kF32) {
    return false;
  }
  const StoredTensor expected = make_constant(view.dtype, view.shape);
  fill_seeded(expected.view, *constant.seed);
  const auto bytes = static_cast<std::size_t>(view.element_count()) * sizeof(float);
  return bytes == 0 || std::memcmp(view.data, expected.view.data, bytes) == 0;
}

std::string Printer::print() {
  number_labels();
  for (const std::string& name : program_.symbols) {
    append(".dim {}\n", name_text(name));
  }
  for (const Constant& each : program_.constants) {
    constant_names_.insert(each.name);
    constant(each);
  }
  for (const InputDeclaration& each : program_.inputs) {
    input(each);
  }
  for (const OutputDeclaration& each : program_.outputs) {
    append(".output {}\n", name_text(each.name));
  }
  for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
    set_label(i);
    instruction(i);
  }
  set_label(program_.instructions.size());
  return std::move(text_);
}

void Printer::number_labels() {
  std::vector<std::int64_t> targets;
  for (const isa::Instruction& each : program_.instructions) {
    for (const Operand& operand : each.operands) {
      if (operand.form == Form::kLabel) {
        targets.push_back(operand.number);
      }
    }
  }
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    labels_.emplace(targets[i], i);
  }
}

void Printer::set_label(std::size_t instruction) {
  const auto found = labels_.find(static_cast<std::int64_t>(instruction));
  if (found != labels_.end()) {
    append("@l{}:\n", found->second);
  }
}

void Printer::input(const InputDeclaration& input) {
  append(".input {} {}[", name_text(input.name), name(input.dtype));
  const char* separator = "";
  for (const InputExtent& extent : input.shape) {
    text_ += separator;
    separator = ", ";
    if (extent.kind == InputExtent::Kind::kNumber) {
      append("{}", extent.value);
    } else {
      text_ += name_text(program_.symbols[static_cast<std::size_t>(extent.value)]);
    }
  }
  text_ += input.rank_known ? "]" : "...]";
  if (input.default_constant) {
    append(" = {}",
           name_text(program_.constants[static_cast<std::size_t>(*input.default_constant)].name));
  }
  text_ += '\n';
}

void Printer::constant(const Constant& constant) {
  const TensorView& view = constant.value.view;
  append(".const {} {}{} = ", name_text(constant.name), name(view.dtype), to_string(view.shape));
  if (is_seeded(constant)) {
    append("seeded({})", *constant.seed);
  } else if (is_uniform(view)) {
    append("full({})", element_text(view.dtype, view.as<const std::byte>()));
  } else if (view.element_count() > options_.max_constant_elements) {
    text_ += "{...}";
  } else {
    listed_values(constant);
  }
  text_ += '\n';
}

void Printer::listed_values(const Constant& constant) {
  constexpr std::int64_t kPerLine = 16;
  const TensorView& view = constant.value.view;
  const std::int64_t count = view.element_count();
  const auto* data = view.as<const std::byte>();
  text_ += '{';
  for (std::int64_t i = 0; i < count; ++i) {
    if (count > kPerLine && i % kPerLine == 0) {
      text_ += "\n  ";
    }
    text_ += element_text(view.dtype, data + static_cast<std::size_t>(i) * byte_size(view.dtype));
    if (i + 1 < count) {
      text_ += i % kPerLine == kPerLine - 1 ? "," : ", ";
    }
  }
  text_ += count > kPerLine ? "\n}" : "}";
}

void Printer::instruction(std::size_t index) {
  const isa::Instruction& instruction = program_.instructions[index];
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  text_ += row.mnemonic;
  const char* separator = " ";
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const isa::OperandInfo& info = row.operands[i];
    if (is_default(instruction.operands[i], info.default_value)) {
      continue;
    }
    text_ += separator;
    separator = ", ";
    if (!info.is_positional()) {
      append("{}=", info.field);
    }
    operand(info, instruction.operands[i]);
  }
  if (options_.origins && !program_.places[index].origin.empty()) {
    append("  ; {}", name_text(program_.places[index].origin));
  }
  text_ += '\n';
}

void Printer::symbol(std::int64_t index) {
  const std::string& name = program_.symbols[static_cast<std::size_t>(index)];
  append("{}{}", constant_names_.contains(name) ? "$" : "", name_text(name));
}

void Printer::list(const isa::OperandInfo& row, const Operand& list) {
  text_ += '[';
  const char* separator = "";
  for (const Operand& item : list.list) {
    text_ += separator;
    separator = ", ";
    operand(row, item);
  }
  text_ += ']';
}

void Printer::operand(const isa::OperandInfo& row, const Operand& operand) {
  const auto index = static_cast<std::size_t>(operand.number);
  switch (operand.form) {
    case Form::kAbsent:
      text_ += '_';
      break;
    case Form::kRegister:
      append("r{}", operand.number);
      break;
    case Form::kConstant:
      text_ += name_text(program_.constants[index].name);
      break;
    case Form::kInput:
      text_ += name_text(program_.inputs[index].name);
      break;
    case Form::kOutput:
      text_ += name_text(program_.outputs[index].name);
      break;
    case Form::kSymbol:
      symbol(operand.number);
      break;
    case Form::kNumber:
      append("{}", operand.number);
      break;
    case Form::kReal:
      text_ += real_text(operand.real);
      break;
    case Form::kFlag:
      text_ += operand.number != 0 ? "true" : "false";
      break;
    case Form::kChoice:
      text_ += isa::choice_words(row.choices)[index];
      break;
    case Form::kType:
      text_ += name(static_cast<DType>(operand.number));
      break;
    case Form::kLabel:
      append("@l{}", labels_.at(operand.number));
      break;
    case Form::kList:
      list(row, operand);
      break;
    case Form::kAxis:
      append("r{}.dim({})", operand.number, operand.detail);
      break;
    case Form::kElement:
      append("r{}[{}]", operand.number, operand.detail);
      break;
  }
}

}  // namespace

std::string print(const Program& program, const PrintOptions& options) {
  return Printer(program, options).print();
}

}  // namespace pliant::text
