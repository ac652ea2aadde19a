#include "plan/emit.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <utility>

#include "plan/graph_facts.h"
#include "plan/like_steps.h"
#include "plan/node_group.h"
#include "plan/operands.h"

namespace pliant::plan {
namespace {

using isa::Form;
using isa::OperandKind;

std::uint64_t next_plan_id() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

class Emitter {
 public:
  Emitter(Graph graph, CpuLevel level)
      : graph_(std::move(graph)),
        level_(level),
        plan_(std::make_shared<Plan>()),
        shapes_(graph_.entry_symbols),
        uses_(count_uses(graph_)) {}

  std::shared_ptr<const Plan> emit(shapes::Box box) {
    plan_->box = std::move(box);
    plan_->program = graph_.program;
    plan_->first = graph_.first;
    plan_->end = graph_.end;
    plan_->end_reason = graph_.end_reason;
    plan_->id = next_plan_id();
    for (const semantics::Extent& extent : graph_.extents) {
      extents_.push_back(shapes_.add(extent));
    }
    find_uses();
    find_memory_uses();
    for (std::size_t i = 0; i < graph_.values.size(); ++i) {
      if (!add_value(i)) {
        return nullptr;
      }
    }
    for (Node& node : graph_.nodes) {
      if (!add_step(node)) {
        return nullptr;
      }
    }
    for (const Condition& condition : graph_.conditions) {
      const auto slot = shapes_.add(condition.extent);
      if (!slot) {
        return nullptr;  // for the sizes of this box it never holds
      }
      plan_->conditions.push_back({*slot, condition.range});
    }
    for (const LiveOut& out : graph_.live_outs) {
      Slot size;
      if (out.kind == LiveOut::Kind::kSizeRegister) {
        const auto slot = extents_[static_cast<std::size_t>(out.value)];
        if (!slot) {
          return nullptr;
        }
        size = *slot;
      }
      plan_->live_out_sizes.push_back(size);
    }
    for (const std::optional<Slot>& extent : extents_) {
      plan_->extents.push_back(extent.value_or(Slot{}));  // those that cannot be said are unused
    }
    plan_->shape_program = std::move(shapes_);
    plan_->entries = std::move(graph_.entries);
    plan_->entry_sources = std::move(graph_.entry_sources);
    plan_->live_ins = std::move(graph_.live_ins);
    plan_->live_outs = std::move(graph_.live_outs);
    plan_->rules = std::move(graph_.rules);
    plan_->constants = std::move(graph_.constants);
    plan_->lasting_constants = std::move(graph_.lasting_constants);
    find_last_together();
    find_like_steps(*plan_);
    return std::move(plan_);
  }

 private:
  void find_last_together() {
    const auto count = static_cast<int>(plan_->steps.size());
    plan_->last_together.resize(plan_->steps.size());
    int last = count - 1;
    for (int i = count - 1; i >= 0; --i) {
      const auto step = static_cast<std::size_t>(i);
      last = plan_->steps[step].rows_with_next > 0 ? last : i;
      plan_->last_together[step] = last;
    }
  }

  /// Values that anything touches, and those whose elements rules read.
  void find_uses() {
    used_.resize(graph_.values.size(), false);
    elements_read_.resize(graph_.values.size(), false);
    for (const LiveOut& out : graph_.live_outs) {
      if (out.kind != LiveOut::Kind::kSizeRegister) {
        used_[static_cast<std::size_t>(out.value)] = true;
      }
    }
    for (const Node& node : graph_.nodes) {
      for (const isa::Instruction& instruction : node.instructions) {
        find_uses(instruction);
      }
    }
    for (const isa::Instruction& instruction : graph_.rules) {
      find_uses(instruction);
    }
    // Live-ins whose extents are entries, used or not.
    for (std::size_t i = 0; i < graph_.values.size(); ++i) {
      if (graph_.values[i].kind == Value::Kind::kLiveIn && graph_.values[i].index >= 0) {
        used_[i] = true;
      }
    }
  }

  void find_uses(const isa::Instruction& instruction) {
    const bool reads_elements = has_effect(instruction, isa::kReadsValues);
    for_each_use(instruction, [&](const isa::Operand& operand) {
      if (operand.form == Form::kRegister) {
        used_[static_cast<std::size_t>(operand.number)] = true;
        if (reads_elements) {
          elements_read_[static_cast<std::size_t>(operand.number)] = true;
        }
      }
    });
    for_each_definition(instruction, [&](const isa::Operand& operand) {
      if (operand.form == Form::kRegister) {
        used_[static_cast<std::size_t>(operand.number)] = true;
      }
    });
  }

  /// Which nodes need the memory of each value, directly or through a view of it. What the plan does
  /// not compute, or leaves behind, is needed for ever.
  void find_memory_uses() {
    constexpr int kForever = std::numeric_limits<int>::max();
    root_.resize(graph_.values.size());
    std::iota(root_.begin(), root_.end(), 0);
    memory_uses_.resize(graph_.values.size());
    for (std::size_t i = 0; i < graph_.values.size(); ++i) {
      memory_uses_[i].last = graph_.values[i].kind == Value::Kind::kComputed ? -1 : kForever;
    }
    int position = 0;
    int first_together = 0;
    for (const Node& node : graph_.nodes) {
      first_together_.push_back(first_together);
      for (const isa::Instruction& instruction : node.instructions) {
        note_memory_uses(instruction, position);
      }
      first_together = node.rows_with_next > 0 ? first_together : position + 1;
      ++position;
    }
    for (const LiveOut& out : graph_.live_outs) {
      if (out.kind != LiveOut::Kind::kSizeRegister) {
        uses_of(out.value).last = kForever;
      }
    }
  }

  void note_memory_uses(const isa::Instruction& instruction, int position) {
    int first = -1;  // what a view is a view of
    for_each_use(instruction, [&](const isa::Operand& operand) {
      if (const int value = value_in(operand); value >= 0) {
        note_use(value, position);
        first = first < 0 ? value : first;
      }
    });
    const bool is_view =
        isa::info(instruction.opcode).instruction_class == isa::InstructionClass::kView;
    for_each_definition(instruction, [&](const isa::Operand& operand) {
      const int value = value_in(operand);
      if (value >= 0 && is_view && first >= 0) {
        root_[static_cast<std::size_t>(value)] = root_[static_cast<std::size_t>(first)];
      } else if (value >= 0) {
        uses_of(value).made = position;
      }
    });
  }

  /// Nodes that touch a value's memory.
  struct MemoryUses {
    int made = -1;
    int before_last = -1;
    int last = -1;
  };
  MemoryUses& uses_of(int value) {
    return memory_uses_[static_cast<std::size_t>(root_[static_cast<std::size_t>(value)])];
  }
  void note_use(int value, int position) {
    MemoryUses& uses = uses_of(value);
    if (position > uses.last) {
      uses.before_last = uses.last;
      uses.last = position;
    }
  }
  /// Whether nobody needs a value's memory after the next step. Steps that run together get to the
  /// rows of what they compute in order, but not of what they are given.
  [[nodiscard]] bool dies(int value) {
    const int position = static_cast<int>(plan_->steps.size());
    const int first_together = first_together_[static_cast<std::size_t>(position)];
    const MemoryUses& uses = uses_of(value);
    return uses.last == position &&
           (uses.before_last < first_together || uses.made >= first_together);
  }

  bool add_value(std::size_t index) {
    const Value& value = graph_.values[index];
    PlanValue& result = plan_->values.emplace_back();
    if (!used_[index]) {
      return true;
    }
    result.kind = value.kind;
    result.index = value.index;
    result.dtype = value.facts.dtype;
    if (!add_slots(value.facts.shape, result.shape)) {
      return false;
    }
    if (elements_read_[index] && value.elements) {
      return add_slots(*value.elements, result.elements.emplace());
    }
    return true;
  }

  template <class Extents>
  bool add_slots(const Extents& extents, std::vector<Slot>& slots) {
    for (const semantics::Extent& extent : extents) {
      const auto slot = shapes_.add(extent);
      if (!slot) {
        return false;
      }
      slots.push_back(*slot);
    }
    return true;
  }

  bool add_step(Node& node) {
    Step step;
    step.origin = node.origin;
    step.rows_with_next = node.rows_with_next;
    for (const isa::Instruction& instruction : node.instructions) {
      if (!add_instruction(instruction, step)) {
        return false;
      }
      step.is_random = step.is_random || has_effect(instruction, isa::kRandom);
    }
    const isa::InstructionInfo& row = isa::info(node.instructions[0].opcode);
    step.is_view = row.instruction_class == isa::InstructionClass::kView;
    step.op = &bind::operator_of(node.instructions[0].opcode);
    if (node.instructions.size() > 1) {
      const NodeGroup group(graph_, node, uses_);
      if (group.includes_first()) {
        step.op = nullptr;
      }
      step.group = group.make(level_);
      PLIANT_CHECK(step.group.has_value());  // group_elementwise() asked before it joined them
      for (const isa::Operand& operand : group.operands()) {
        if (!add_input(0, operand, step.group_inputs)) {
          return false;
        }
      }
      keep_what_the_group_reads(step);
      step.group_results = group.results();
    }
    plan_->steps.push_back(std::move(step));
    return true;
  }

  /// The kernel of a step may not write over what the group behind it reads.
  void keep_what_the_group_reads(Step& step) const {
    if (step.op == nullptr) {
      return;
    }
    const auto root = [this](const StepInput& input) {
      return input.value < 0 ? -1 : root_[static_cast<std::size_t>(input.value)];
    };
    for (StepInput& input : step.instructions.front().inputs) {
      for (const StepInput& other : step.group_inputs) {
        input.dies = input.dies && root(other) != root(input);
      }
    }
  }

  bool add_instruction(const isa::Instruction& instruction, Step& step) {
    const isa::InstructionInfo& row = isa::info(instruction.opcode);
    StepInstruction& result = step.instructions.emplace_back();
    result.instruction = instruction;
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      const isa::Operand& operand = instruction.operands[i];
      const int position = static_cast<int>(i);
      if (row.operands[i].is_definition()) {
        add_outputs(position, operand, result);
      } else if (operand.given() && !add_operand(position, row.operands[i].kind, operand, result)) {
        return false;
      }
    }
    return true;
  }

  bool add_operand(int position, OperandKind kind, const isa::Operand& operand,
                   StepInstruction& result) {
    if (reads_tensors(kind)) {
      return each_item(operand, [&](const isa::Operand& item) {
        return add_input(position, item, result.inputs);
      });
    }
    if (kind == OperandKind::kSize || kind == OperandKind::kSizes) {
      StepSizes& sizes = result.sizes.emplace_back();
      sizes.operand = position;
      return each_item(operand, [&](const isa::Operand& item) {
        const auto slot = item.form == Form::kSymbol
                              ? extents_[static_cast<std::size_t>(item.number)]
                              : std::optional(Slot{-1, item.number});
        sizes.values.push_back(slot.value_or(Slot{}));
        return slot.has_value();
      });
    }
    if (kind == OperandKind::kNumbers) {
      StepNumbers& numbers = result.numbers.emplace_back();
      numbers.operand = position;
      for (const isa::Operand& item : operand.list) {
        numbers.values.push_back(item.form == Form::kReal ? item.real
                                                          : static_cast<double>(item.number));
      }
    }
    return true;
  }

  /// Whether something can be done with each item of a list, or with what is no list.
  template <class Function>
  static bool each_item(const isa::Operand& operand, Function function) {
    return operand.form == Form::kList
               ? std::all_of(operand.list.begin(), operand.list.end(), function)
               : function(operand);
  }

  void add_outputs(int position, const isa::Operand& operand, StepInstruction& result) const {
    if (operand.form != Form::kList) {
      result.outputs.push_back(output(position, 0, operand));
      return;
    }
    for (std::size_t part = 0; part < operand.list.size(); ++part) {
      result.outputs.push_back(output(position, static_cast<int>(part), operand.list[part]));
    }
  }

  [[nodiscard]] StepOutput output(int position, int part, const isa::Operand& operand) const {
    const int value = value_in(operand);
    return {position, part, value,
            value >= 0 && !graph_.values[static_cast<std::size_t>(value)].dropped};
  }

  /// False for a size that cannot be said.
  bool add_input(int position, const isa::Operand& operand, std::vector<StepInput>& inputs) {
    if (operand.form == Form::kRegister) {
      const int value = static_cast<int>(operand.number);
      inputs.push_back({position, value, {}, dies(value)});
      return true;
    }
    const std::optional<Slot>& size = extents_[static_cast<std::size_t>(operand.number)];
    inputs.push_back({position, -1, size.value_or(Slot{}), false});
    return size.has_value();
  }

  Graph graph_;
  CpuLevel level_;
  std::shared_ptr<Plan> plan_;
  ShapeProgram shapes_;
  std::vector<std::optional<Slot>> extents_;  ///< by Graph::extents
  std::vector<int> uses_;                     ///< by value
  std::vector<int> root_;  ///< by value: the value whose memory a view shows, or itself
  std::vector<MemoryUses> memory_uses_;  ///< by root
  std::vector<int> first_together_;      ///< by node: the first of those that run together with it
  std::vector<bool> used_;
  std::vector<bool> elements_read_;
};

}  // namespace

std::shared_ptr<const Plan> emit(Graph graph, shapes::Box box, CpuLevel level,
                                 DeclineReason& reason) {
  std::shared_ptr<const Plan> plan = Emitter(std::move(graph), level).emit(std::move(box));
  if (plan == nullptr) {
    reason = DeclineReason::kTooLarge;
  }
  return plan;
}

std::size_t Plan::byte_size() const {
  std::size_t bytes =
      sizeof *this + shape_program.byte_size() + layout_bytes->load(std::memory_order_relaxed);
  for (const PlanValue& value : values) {
    bytes += sizeof value + value.shape.size() * sizeof(Slot);
  }
  for (const Step& step : steps) {
    bytes += sizeof step + (step.group ? step.group->byte_size() : 0);
    for (const StepInstruction& part : step.instructions) {
      bytes += sizeof part + part.instruction.operands.size() * sizeof(isa::Operand) +
               part.inputs.size() * sizeof(StepInput) + part.outputs.size() * sizeof(StepOutput);
    }
  }
  return bytes;
}

}  // namespace pliant::plan
