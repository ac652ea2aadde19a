#include "plan/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "plan/operands.h"
#include "semantics/extent.h"
#include "tensor/dtype.h"
#include "tensor/element_values.h"

namespace pliant::plan {
namespace {

using isa::Form;
using isa::Operand;

/// What graphs and plans have in common once their sizes are text.
struct Printed {
  struct Tensor {
    Value::Kind kind = Value::Kind::kComputed;
    int index = 0;
    std::string type;  ///< "f32[batch, 4]"
  };
  const Program& program;
  std::vector<Tensor> values;
  std::vector<std::string> extents;
  std::vector<std::string> live_out_sizes;  ///< by live-out
  std::span<const LiveIn> live_ins;
  std::span<const LiveOut> live_outs;
  std::span<const StoredTensor> constants;
  struct Line {
    std::vector<const isa::Instruction*> instructions;
    int rows_with_next = 0;
  };
  std::vector<Line> lines;
};

bool is_default(const Operand& operand, const isa::Default& value) {
  return value.presence == isa::Default::Presence::kOptional && operand.form == value.form &&
         operand.number == value.number &&
         std::bit_cast<std::uint64_t>(operand.real) == std::bit_cast<std::uint64_t>(value.real);
}

class Printer {
 public:
  explicit Printer(const Printed& printed)
      : printed_(printed), numbers_(printed.values.size(), -1), uses_(printed.values.size(), 0) {
    for (const Printed::Line& line : printed_.lines) {
      for (const isa::Instruction* instruction : line.instructions) {
        for_each_use(*instruction, [this](const Operand& operand) { count(value_in(operand)); });
      }
    }
    for (const LiveOut& out : printed_.live_outs) {
      if (out.kind != LiveOut::Kind::kSizeRegister) {
        count(out.value);
      }
    }
  }

  PrintedPlan print() {
    PrintedPlan parts;
    live_ins();
    constants();
    parts.head = std::exchange(text_, {});
    bool with_previous = false;
    for (const Printed::Line& line : printed_.lines) {
      text_ = with_previous ? "& " : "";  // runs block of rows by block of rows with the line above
      node(line.instructions);
      with_previous = line.rows_with_next > 0;
      parts.steps.push_back(std::exchange(text_, {}));
    }
    live_outs();
    parts.tail = std::move(text_);
    for (std::size_t i = 0; i < printed_.values.size(); ++i) {
      const Printed::Tensor& tensor = printed_.values[i];
      parts.values.push_back(tensor.kind == Value::Kind::kConstant
                                 ? fmt::format("c{}", tensor.index)
                             : numbers_[i] < 0 ? std::string()
                                               : fmt::format("r{}", numbers_[i]));
    }
    return parts;
  }

 private:
  template <class... Values>
  void append(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  void count(int value) {
    if (value >= 0) {
      ++uses_[static_cast<std::size_t>(value)];
    }
  }

  /// The number of a result, given when it is first seen.
  int number_of(int value) {
    int& number = numbers_[static_cast<std::size_t>(value)];
    if (number < 0) {
      number = next_number_++;
    }
    return number;
  }

  void value(int index) {
    const Printed::Tensor& tensor = printed_.values[static_cast<std::size_t>(index)];
    if (tensor.kind == Value::Kind::kConstant) {
      append("c{}", tensor.index);
    } else {
      append("r{}", number_of(index));
    }
  }

  const std::string& type_of(int value) {
    return printed_.values[static_cast<std::size_t>(value)].type;
  }

  void live_ins() {
    for (std::size_t i = 0; i < printed_.values.size(); ++i) {
      const Printed::Tensor& tensor = printed_.values[i];
      if (tensor.kind != Value::Kind::kLiveIn || uses_[i] == 0) {
        continue;
      }
      const LiveIn& source = printed_.live_ins[static_cast<std::size_t>(tensor.index)];
      append("r{} {} = ", number_of(static_cast<int>(i)), tensor.type);
      if (source.kind == LiveIn::Kind::kProgramInput) {
        append("input {}\n", printed_.program.inputs[static_cast<std::size_t>(source.index)].name);
      } else {
        append("register {}\n", source.index);
      }
    }
  }

  void constants() {
    std::vector<int> read;
    for (std::size_t i = 0; i < printed_.values.size(); ++i) {
      if (printed_.values[i].kind == Value::Kind::kConstant && uses_[i] > 0) {
        read.push_back(static_cast<int>(i));
      }
    }
    std::sort(read.begin(), read.end(), [this](int a, int b) {
      return printed_.values[static_cast<std::size_t>(a)].index <
             printed_.values[static_cast<std::size_t>(b)].index;
    });
    for (const int index : read) {
      constant(printed_.values[static_cast<std::size_t>(index)]);
    }
  }

  void constant(const Printed::Tensor& tensor) {
    append("c{} {}", tensor.index, tensor.type);
    const TensorView& view = printed_.constants[static_cast<std::size_t>(tensor.index)].view;
    if (view.element_count() == 1) {
      text_ += " = ";
      if (is_float(view.dtype)) {
        for_each_real(view, [this](double element) { append("{:.7g}", element); });
      } else {
        for_each_integer(view, [this](std::int64_t element) { append("{}", element); });
      }
    }
    text_ += '\n';
  }

  void node(const std::vector<const isa::Instruction*>& line) {
    names_of_results(*line.back());
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (i > 0) {
        text_ += " | ";
      }
      if (i + 1 < line.size()) {
        // A result that only the next one reads needs no number.
        const int result = single_result(*line[i]);
        if (reads(*line[i + 1], result) != uses_[static_cast<std::size_t>(result)]) {
          append("r{}: ", number_of(result));
        }
      }
      instruction(*line[i], i > 0 ? single_result(*line[i - 1]) : -1);
    }
  }

  static int reads(const isa::Instruction& instruction, int value) {
    int found = 0;
    for_each_use(instruction,
                 [&](const Operand& operand) { found += value_in(operand) == value ? 1 : 0; });
    return found;
  }

  void names_of_results(const isa::Instruction& instruction) {
    const char* separator = "";
    for_each_definition(instruction, [&](const Operand& operand) {
      text_ += separator;
      separator = ", ";
      if (operand.form == Form::kRegister) {
        append("r{} {}", number_of(value_in(operand)), type_of(value_in(operand)));
      } else {
        text_ += '_';
      }
    });
    text_ += " = ";
  }

  /// `previous` is the result of the instruction in front of it in a group, or -1.
  void instruction(const isa::Instruction& instruction, int previous) {
    const isa::InstructionInfo& row = isa::info(instruction.opcode);
    text_ += row.mnemonic;
    const char* separator = " ";
    bool is_first = true;
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      const isa::OperandInfo& info = row.operands[i];
      const Operand& given = instruction.operands[i];
      if (info.is_definition() || is_default(given, info.default_value)) {
        continue;
      }
      const bool follows = previous >= 0 && reads_tensors(info.kind) && value_in(given) == previous;
      if (!(follows && is_first)) {
        text_ += separator;
        separator = ", ";
        if (!info.is_positional()) {
          append("{}=", info.field);
        }
        if (follows) {
          text_ += '^';
        } else {
          operand(info, given);
        }
      }
      is_first = false;
    }
  }

  void operand(const isa::OperandInfo& row, const Operand& operand) {
    const auto index = static_cast<std::size_t>(operand.number);
    switch (operand.form) {
      case Form::kRegister:
        value(value_in(operand));
        break;
      case Form::kSymbol:
        text_ += printed_.extents[index];
        break;
      case Form::kReal:
        append("{:.7g}", operand.real);
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
      case Form::kList: {
        text_ += '[';
        const char* separator = "";
        for (const Operand& item : operand.list) {
          text_ += separator;
          separator = ", ";
          this->operand(row, item);
        }
        text_ += ']';
        break;
      }
      case Form::kAbsent:
        text_ += '_';
        break;
      default:
        append("{}", operand.number);
    }
  }

  void live_outs() {
    for (std::size_t i = 0; i < printed_.live_outs.size(); ++i) {
      const LiveOut& out = printed_.live_outs[i];
      if (out.kind == LiveOut::Kind::kSizeRegister) {
        append("size {} = {}\n", out.index, printed_.live_out_sizes[i]);
        continue;
      }
      if (out.kind == LiveOut::Kind::kProgramOutput) {
        append("output {} = ", printed_.program.outputs[static_cast<std::size_t>(out.index)].name);
      } else {
        append("register {} = ", out.index);
      }
      value(out.value);
      text_ += '\n';
    }
  }

  const Printed& printed_;
  std::string text_;
  std::vector<int> numbers_;  ///< by value
  std::vector<int> uses_;     ///< by value
  int next_number_ = 0;
};

std::string type_text(DType dtype, const semantics::ExtentShape& shape) {
  return fmt::format("{}{}", name(dtype), semantics::to_string(shape));
}

std::string in_one(const PrintedPlan& parts) {
  std::string text = parts.head;
  for (const std::string& step : parts.steps) {
    text += step + '\n';
  }
  return text + parts.tail;
}

}  // namespace

std::string print(const Graph& graph) {
  Printed printed{*graph.program, {}, {}, {}, graph.live_ins, graph.live_outs, graph.constants, {}};
  for (const Value& value : graph.values) {
    printed.values.push_back(
        {value.kind, value.index, type_text(value.facts.dtype, value.facts.shape)});
  }
  for (const semantics::Extent& extent : graph.extents) {
    printed.extents.push_back(semantics::to_string(extent));
  }
  for (const LiveOut& out : graph.live_outs) {
    const bool is_size = out.kind == LiveOut::Kind::kSizeRegister;
    printed.live_out_sizes.push_back(is_size ? printed.extents[static_cast<std::size_t>(out.value)]
                                             : "");
  }
  for (const Node& node : graph.nodes) {
    auto& line = printed.lines.emplace_back();
    line.rows_with_next = node.rows_with_next;
    for (const isa::Instruction& instruction : node.instructions) {
      line.instructions.push_back(&instruction);
    }
  }
  return in_one(Printer(printed).print());
}

PrintedPlan print_parts(const Plan& plan) {
  Printed printed{*plan.program, {}, {}, {}, plan.live_ins, plan.live_outs, plan.constants, {}};
  semantics::ExpressionPool pool;
  std::vector<semantics::Extent> entries;
  for (const shapes::Entry& entry : plan.entries) {
    entries.push_back(entry.kind == shapes::Entry::Kind::kExtent
                          ? pool.new_symbol(entry.name)
                          : pool.new_value_symbol(entry.name));
  }
  const std::vector<semantics::Extent> slots = plan.shape_program.expressions(entries, pool);
  const auto extent_of = [&](const Slot& slot) {
    return slot.index < 0 ? semantics::Extent(slot.number)
                          : slots[static_cast<std::size_t>(slot.index)];
  };
  for (const PlanValue& value : plan.values) {
    semantics::ExtentShape shape;
    for (const Slot& slot : value.shape) {
      shape.push_back(extent_of(slot));
    }
    printed.values.push_back({value.kind, value.index, type_text(value.dtype, shape)});
  }
  for (const Slot& slot : plan.extents) {
    printed.extents.push_back(semantics::to_string(extent_of(slot)));
  }
  for (const Slot& slot : plan.live_out_sizes) {
    printed.live_out_sizes.push_back(semantics::to_string(extent_of(slot)));
  }
  for (const Step& step : plan.steps) {
    auto& line = printed.lines.emplace_back();
    line.rows_with_next = step.rows_with_next;
    for (const StepInstruction& instruction : step.instructions) {
      line.instructions.push_back(&instruction.instruction);
    }
  }
  PrintedPlan parts = Printer(printed).print();
  if (const std::string box = plan.box.to_string(plan.entries); !box.empty()) {
    parts.head.insert(0, fmt::format("box {}\n", box));
  }
  return parts;
}

std::string print(const Plan& plan) {
  return in_one(print_parts(plan));
}

}  // namespace pliant::plan
