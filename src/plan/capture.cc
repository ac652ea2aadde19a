#include "plan/capture.h"

#include <algorithm>
#include <map>
#include <utility>

#include "isa/info.h"
#include "plan/captured_values.h"
#include "plan/graph_facts.h"
#include "plan/proven_rules.h"
#include "semantics/element_rules.h"
#include "tensor/dtype.h"
#include "tensor/element_values.h"

namespace pliant::plan {
namespace {

using isa::Form;
using isa::InstructionClass;
using isa::OperandKind;
using semantics::Extent;
using semantics::ExtentList;
using semantics::TensorFacts;

/// Integers that a type can hold.
shapes::Interval range_of(DType dtype) {
  const bool is_signed = dtype_class(dtype) == DTypeClass::kSigned;
  const auto bits = static_cast<int>(8 * byte_size(dtype));
  if (bits >= 64) {
    return {is_signed ? INT64_MIN : 0, INT64_MAX};
  }
  return is_signed ? shapes::Interval{-(std::int64_t{1} << (bits - 1)),
                                      (std::int64_t{1} << (bits - 1)) - 1}
                   : shapes::Interval{0, (std::int64_t{1} << bits) - 1};
}

/// Builds the graph of one segment, instruction by instruction.
class Capture {
 public:
  Capture(const Stretch& stretch, const KnownRanks& ranks, std::span<const ExactValue> exact)
      : program_(stretch.program),
        uses_(stretch.uses),
        values_(program_, ranks, exact, graph_),
        deciding_entries_(graph_) {
    graph_.program = &program_;
    graph_.first = stretch.first;
    graph_.end = stretch.first;
    outputs_.resize(program_.outputs.size(), -1);
  }

  /// False when the instruction cannot be part of a plan.
  bool add(std::size_t index) {
    graph_.end_reason = DeclineReason::kNone;
    // What a failed attempt adds (live-ins, constants, extents) is unused, and dropped later.
    const bool added = add_instruction(program_.instructions[index], index);
    if (added) {
      graph_.end = index + 1;
    }
    return added;
  }

  Captured finish() {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (outputs_[i] >= 0) {
        graph_.live_outs.push_back(
            {LiveOut::Kind::kProgramOutput, static_cast<int>(i), outputs_[i]});
      }
    }
    for (const int index : written_) {
      const auto r = static_cast<std::size_t>(index);
      if (!uses_.read_outside(index, graph_.first, graph_.end)) {
        continue;
      }
      if (program_.registers[r].kind == RegisterKind::kSize) {
        graph_.live_outs.push_back({LiveOut::Kind::kSizeRegister, index,
                                    values_.extent_index(values_.size_register(index))});
      } else {
        graph_.live_outs.push_back(
            {LiveOut::Kind::kTensorRegister, index, values_.tensor_register(index)});
      }
    }
    return {std::move(graph_), std::move(deciding_)};
  }

 private:
  bool decline(DeclineReason reason) {
    graph_.end_reason = reason;
    return false;
  }
  /// With another reason if certain entries decide.
  bool decline(DeclineReason reason, std::vector<DecidingEntry> deciding) {
    deciding_ = std::move(deciding);
    return decline(deciding_.empty() ? reason : DeclineReason::kExactValue);
  }

  bool add_instruction(const isa::Instruction& instruction, std::size_t index) {
    const isa::InstructionInfo& row = isa::info(instruction.opcode);
    switch (row.instruction_class) {
      case InstructionClass::kControl:
        return decline(DeclineReason::kControlFlow);
      case InstructionClass::kData:
        return add_data(instruction);
      case InstructionClass::kSize:
        return add_size(instruction);
      case InstructionClass::kView:
      case InstructionClass::kCompute:
        return add_node(instruction, index);
    }
    return decline(DeclineReason::kControlFlow);
  }

  // ---- instructions that leave no node ----

  bool add_data(const isa::Instruction& instruction) {
    switch (instruction.opcode) {
      case isa::Opcode::kLoadTensor:
        return define(instruction.operands[isa::LoadTensor::dst],
                      values_.program_input(instruction.operands[isa::LoadTensor::input].number));
      case isa::Opcode::kLoadConst:
        return define(
            instruction.operands[isa::LoadConst::dst],
            values_.program_constant(instruction.operands[isa::LoadConst::constant].number));
      case isa::Opcode::kStoreTensor: {
        isa::Operand x;
        if (!rewrite_tensor(instruction.operands[isa::StoreTensor::x], x)) {
          return false;
        }
        outputs_[static_cast<std::size_t>(instruction.operands[isa::StoreTensor::output].number)] =
            value_of(x);
        return true;
      }
      default:
        return add_move(instruction);
    }
  }

  bool add_move(const isa::Instruction& instruction) {
    const isa::Operand& target = instruction.operands[isa::MoveReg::dst];
    const isa::Operand& source = instruction.operands[isa::MoveReg::x];
    isa::Operand x;
    if (!rewrite_tensor(source, x)) {
      return false;
    }
    if (!target.given()) {
      return true;
    }
    if (program_.registers[static_cast<std::size_t>(target.number)].kind == RegisterKind::kTensor) {
      return define(target, value_of(x));
    }
    const auto value = GraphFacts(graph_).integers(x);
    if (!value || value->size() != 1) {
      return decline(DeclineReason::kDataDependentSize);
    }
    return define_size(target, (*value)[0]);
  }

  bool add_size(const isa::Instruction& instruction) {
    isa::Instruction rewritten;
    if (!rewrite(instruction, rewritten)) {
      return false;
    }
    GraphFacts facts(graph_);
    semantics::InferenceContext context(rewritten, facts);
    if (!infer(context, facts)) {
      return false;
    }
    // Also where nobody reads it: overflow and division by zero are errors.
    if (context.size_result().expression() != nullptr) {
      graph_.conditions.push_back({context.size_result(), shapes::Interval::any_value()});
    }
    return define_size(instruction.operands[0], context.size_result());
  }

  bool define(const isa::Operand& target, int value) {
    if (value < 0) {
      return decline(DeclineReason::kUnknownRank);
    }
    if (target.given()) {
      values_.set_register(target.number, value);
      note_written(static_cast<int>(target.number));
    }
    return true;
  }

  bool define_size(const isa::Operand& target, const Extent& value) {
    if (value.is_overflow()) {
      return decline(DeclineReason::kRuleError);
    }
    if (target.given()) {
      values_.set_size(target.number, value);
      note_written(static_cast<int>(target.number));
    }
    return true;
  }

  void note_written(int index) {
    if (std::find(written_.begin(), written_.end(), index) == written_.end()) {
      written_.push_back(index);
    }
  }

  // ---- nodes ----

  bool add_node(const isa::Instruction& instruction, std::size_t index) {
    const isa::InstructionInfo& row = isa::info(instruction.opcode);
    if ((row.effects & isa::kMeasures) != 0) {
      return decline(DeclineReason::kDataDependentSize);
    }
    isa::Instruction rewritten;
    if (!rewrite(instruction, rewritten)) {
      return false;
    }
    GraphFacts facts(graph_);
    semantics::InferenceContext context(rewritten, facts);
    if (!infer(context, facts)) {
      return false;
    }
    const std::size_t value_count = graph_.values.size();
    if (!add_results(context, rewritten)) {
      return false;
    }
    if (graph_.values.size() > value_count && rewritten.operands[0].form == Form::kRegister) {
      graph_.values[value_count].elements = followed_elements(context);
      if (!graph_.values[value_count].elements && holds_integers(context.result(0).dtype)) {
        deciding_entries_.note_unfollowed(static_cast<int>(value_count), rewritten);
      }
    }
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      if (row.operands[i].is_definition()) {
        define_results(instruction.operands[i], rewritten.operands[i]);
      }
    }
    if (!is_proven(graph_, rewritten)) {
      graph_.rules.push_back(rewritten);
    }
    graph_.nodes.push_back({{std::move(rewritten)}, index});
    return true;
  }

  /// Values for the results of an instruction, in place of its registers.
  bool add_results(const semantics::InferenceContext& context, isa::Instruction& rewritten) {
    const isa::InstructionInfo& row = isa::info(rewritten.opcode);
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      if (!row.operands[i].is_definition()) {
        continue;
      }
      isa::Operand& results = rewritten.operands[i];
      const bool is_list = results.form == Form::kList;
      const std::size_t count = is_list ? results.list.size() : 1;
      for (std::size_t part = 0; part < count; ++part) {
        isa::Operand& result = is_list ? results.list[part] : results;
        const TensorFacts& known = context.result(static_cast<int>(i), static_cast<int>(part));
        if (known.rank_known) {
          // Also where nobody wants it: kernels may need its shape.
          const bool dropped = !result.given() && !row.operands[i].is_positional();
          result = isa::reg(values_.add({Value::Kind::kComputed, 0, dropped, known, std::nullopt}));
        } else if (result.given()) {  // an optional one that was not asked for has no rank
          return decline(DeclineReason::kDataDependentSize,
                         deciding_entries_.in(rewritten, DecidingEntries::Reads::kExtents));
        }
      }
    }
    return true;
  }

  void define_results(const isa::Operand& registers, const isa::Operand& values) {
    if (registers.form != Form::kList) {
      if (registers.given()) {
        define(registers, static_cast<int>(values.number));
      }
      return;
    }
    for (std::size_t part = 0; part < registers.list.size(); ++part) {
      if (registers.list[part].given()) {
        define(registers.list[part], static_cast<int>(values.list[part].number));
      }
    }
  }

  /// Elements of the first result. In narrow types only what is sure to fit, or is checked to.
  std::optional<ExtentList> followed_elements(const semantics::InferenceContext& context) {
    auto elements = semantics::result_elements(context);
    const DType dtype = context.result(0).dtype;
    if (!elements || dtype == DType::kI64) {
      return elements;
    }
    if (dtype == DType::kBool) {
      const bool numbers = std::all_of(elements->begin(), elements->end(),
                                       [](const Extent& e) { return e.is_number(); });
      return numbers ? elements : std::nullopt;
    }
    const shapes::Interval range = range_of(dtype);
    for (const Extent& element : *elements) {
      if (!element.is_number()) {
        graph_.conditions.push_back({element, range});
      } else if (!range.contains(element.number())) {
        return std::nullopt;
      }
    }
    return elements;
  }

  bool infer(semantics::InferenceContext& context, const GraphFacts& facts) {
    const int symbol_count = graph_.pool->symbol_count();
    const Status status = context.infer();
    if (facts.asked_for_unknown()) {
      return decline(DeclineReason::kDataDependentSize,
                     deciding_entries_.in(context.instruction(), DecidingEntries::Reads::kRule));
    }
    if (!status) {
      return decline(DeclineReason::kRuleError,
                     deciding_entries_.in(context.instruction(), DecidingEntries::Reads::kRule));
    }
    // Whether an element is 0 or -1 is known of those that cannot be, and of numbers.
    if (auto deciding = deciding_entries_.in(facts.taken_for_extents()); !deciding.empty()) {
      return decline(DeclineReason::kExactValue, std::move(deciding));
    }
    // The pool makes a symbol of its own for an expression that would be too large.
    return graph_.pool->symbol_count() == symbol_count || decline(DeclineReason::kTooLarge);
  }

  // ---- operands ----

  bool rewrite(const isa::Instruction& instruction, isa::Instruction& rewritten) {
    const isa::InstructionInfo& row = isa::info(instruction.opcode);
    rewritten.opcode = instruction.opcode;
    rewritten.operands.resize(instruction.operands.size());
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      const isa::Operand& from = instruction.operands[i];
      isa::Operand& to = rewritten.operands[i];
      if (!from.given()) {
        continue;
      }
      if (!rewrite_operand(row.operands[i].kind, from, to)) {
        for (DecidingEntry& entry : deciding_) {
          entry.operand = i;
        }
        return false;
      }
    }
    return true;
  }

  bool rewrite_operand(OperandKind kind, const isa::Operand& from, isa::Operand& to) {
    switch (kind) {
      case OperandKind::kTensorUse:
      case OperandKind::kAnyUse:
        return rewrite_tensor(from, to);
      case OperandKind::kTensorUses:
        to.form = Form::kList;
        to.list.resize(from.list.size());
        for (std::size_t i = 0; i < from.list.size(); ++i) {
          if (!rewrite_tensor(from.list[i], to.list[i])) {
            return false;
          }
        }
        return true;
      case OperandKind::kTensorAxis:
      case OperandKind::kTensorElement: {
        isa::Operand part;
        if (!rewrite_tensor(isa::reg(from.number), part)) {
          return false;
        }
        to = from;
        to.number = part.number;
        return true;
      }
      case OperandKind::kSize:
        return rewrite_sizes(from, to) && become_single(to);
      case OperandKind::kSizes:
        return rewrite_sizes(from, to);
      case OperandKind::kNumbers:
        return rewrite_numbers(from, to);
      default:
        to = from;
        return true;
    }
  }

  bool rewrite_tensor(const isa::Operand& from, isa::Operand& to) {
    int value = -1;
    switch (from.form) {
      case Form::kConstant:
        value = values_.program_constant(from.number);
        break;
      case Form::kNumber:
        value = values_.scalar(DType::kI64, from.number);
        break;
      case Form::kReal:
        value = values_.scalar(DType::kF32, static_cast<float>(from.real));
        break;
      case Form::kSymbol:
        to = isa::symbol(values_.extent_index(values_.program_symbol(from.number)));
        return true;
      default: {
        const auto index = static_cast<std::size_t>(from.number);
        if (program_.registers[index].kind == RegisterKind::kSize) {
          to = isa::symbol(values_.extent_index(values_.size_register(from.number)));
          return true;
        }
        value = values_.tensor_register(from.number);
        break;
      }
    }
    to = isa::reg(value);
    return value >= 0 || decline(DeclineReason::kUnknownRank);
  }

  /// A value for an operand that is one, or an extent: then a constant or a 0-d tensor made of it.
  int value_of(const isa::Operand& operand) {
    if (operand.form == Form::kRegister) {
      return static_cast<int>(operand.number);
    }
    // An extent that is stored or moved as a tensor: RESHAPE of a scalar to a scalar makes it one.
    isa::Instruction reshape{
        isa::Opcode::kReshape,
        std::vector<isa::Operand>(isa::info(isa::Opcode::kReshape).operands.size())};
    const int result =
        values_.add({Value::Kind::kComputed, 0, false, semantics::scalar_facts(DType::kI64),
                     ExtentList{graph_.extents[static_cast<std::size_t>(operand.number)]}});
    reshape.operands[isa::Reshape::dst] = isa::reg(result);
    reshape.operands[isa::Reshape::x] = operand;
    reshape.operands[isa::Reshape::shape] = isa::list({});
    reshape.operands[isa::Reshape::zero] = isa::choice(isa::ZeroExtent::kLiteral);
    graph_.nodes.push_back({{std::move(reshape)}, graph_.end});
    return result;
  }

  isa::Operand size_operand(const Extent& extent) {
    return extent.is_number() ? isa::number(extent.number())
                              : isa::symbol(values_.extent_index(extent));
  }

  Extent size_value(const isa::Operand& operand) {
    switch (operand.form) {
      case Form::kRegister:
        return values_.size_register(operand.number);
      case Form::kSymbol:
        return values_.program_symbol(operand.number);
      default:
        return operand.number;
    }
  }

  /// Lists, single sizes and integer tensors all become a list (a single one for Size).
  bool rewrite_sizes(const isa::Operand& from, isa::Operand& to) {
    if (from.form == Form::kList) {
      to.form = Form::kList;
      for (const isa::Operand& item : from.list) {
        to.list.push_back(size_operand(size_value(item)));
      }
      return true;
    }
    const bool is_tensor =
        from.form == Form::kConstant ||
        (from.form == Form::kRegister &&
         program_.registers[static_cast<std::size_t>(from.number)].kind == RegisterKind::kTensor);
    if (!is_tensor) {
      to = size_operand(size_value(from));
      return true;
    }
    isa::Operand value;
    if (!rewrite_tensor(from, value)) {
      return false;
    }
    const auto& elements = graph_.values[static_cast<std::size_t>(value.number)].elements;
    if (!elements) {
      return decline(DeclineReason::kDataDependentSize,
                     deciding_entries_.behind_value(static_cast<int>(value.number)));
    }
    const ExtentList copy = *elements;  // values_.extent_index() does not touch values, but be safe
    to.form = Form::kList;
    for (const Extent& element : copy) {
      to.list.push_back(size_operand(element));
    }
    return true;
  }

  /// A size that was given as a tensor is its only element.
  bool become_single(isa::Operand& size) {
    if (size.form != Form::kList) {
      return true;
    }
    if (size.list.size() != 1) {
      return decline(DeclineReason::kRuleError);
    }
    const isa::Operand only = size.list[0];
    size = only;
    return true;
  }

  bool rewrite_numbers(const isa::Operand& from, isa::Operand& to) {
    if (from.form == Form::kList) {
      to = from;
      return true;
    }
    isa::Operand value;
    if (!rewrite_tensor(from, value)) {
      return false;
    }
    const auto reals = GraphFacts(graph_).reals(value);
    if (!reals) {
      return decline(DeclineReason::kDataDependentSize);
    }
    to.form = Form::kList;
    for (const double real : *reals) {
      to.list.push_back(isa::real(real));
    }
    return true;
  }

  const Program& program_;
  const RegisterUses& uses_;
  Graph graph_;
  CapturedValues values_;                // of graph_
  DecidingEntries deciding_entries_;     // in graph_
  std::vector<DecidingEntry> deciding_;  ///< of the instruction that was not taken
  std::vector<int> outputs_;             ///< by output: the value stored last, or -1
  std::vector<int> written_;             ///< registers, each once
};

}  // namespace

KnownRanks declared_ranks(const Program& program) {
  KnownRanks ranks;
  for (const InputDeclaration& input : program.inputs) {
    ranks.inputs.push_back(input.rank_known ? std::optional(input.shape.size()) : std::nullopt);
  }
  for (const RegisterInfo& info : program.registers) {
    ranks.registers.push_back(info.rank);
  }
  return ranks;
}

Captured capture(const Stretch& stretch, const KnownRanks& ranks,
                 std::span<const ExactValue> exact) {
  Capture captured(stretch, ranks, exact);
  for (std::size_t i = stretch.first; i < stretch.limit; ++i) {
    if (!captured.add(i)) {
      break;
    }
  }
  return captured.finish();
}

}  // namespace pliant::plan
