#include "plan/pattern.h"

#include <algorithm>
#include <cmath>

#include "plan/graph_facts.h"
#include "plan/node_group.h"
#include "plan/operands.h"

namespace pliant::plan {

Pattern::Pattern(const Graph& graph)
    : graph_(graph), uses_(count_uses(graph)), producer_(graph.values.size(), -1) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const int result = node.instructions.size() == 1 ? single_result(node.instructions[0]) : -1;
    if (result >= 0) {
      producer_[static_cast<std::size_t>(result)] = static_cast<int>(i);
    }
  }
}

void Pattern::start(const isa::Instruction& root) {
  root_ = &root;
  inside_.clear();
}

const isa::Instruction* Pattern::find(const isa::Operand& operand, isa::Opcode opcode) {
  const int value = value_in(operand);
  // Values that a pass has added are none of a pattern.
  if (value < 0 || static_cast<std::size_t>(value) >= producer_.size()) {
    return nullptr;
  }
  const int producer = producer_[static_cast<std::size_t>(value)];
  if (producer < 0) {
    return nullptr;
  }
  const isa::Instruction& instruction =
      graph_.nodes[static_cast<std::size_t>(producer)].instructions[0];
  if (instruction.opcode != opcode) {
    return nullptr;
  }
  inside_.push_back(&instruction);
  return &instruction;
}

bool Pattern::is_closed() const {
  std::vector<const isa::Instruction*> members = inside_;
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return std::all_of(members.begin(), members.end(), [&](const isa::Instruction* member) {
    if (isa::info(member->opcode).instruction_class == isa::InstructionClass::kView) {
      return true;
    }
    const int value = single_result(*member);
    int reads = 0;
    const auto count = [&](const isa::Operand& operand) {
      reads += value_in(operand) == value ? 1 : 0;
    };
    for (const isa::Instruction* reader : members) {
      for_each_use(*reader, count);
    }
    for_each_use(*root_, count);
    return reads == uses_[static_cast<std::size_t>(value)];
  });
}

std::optional<double> Pattern::number(const isa::Operand& operand) const {
  if (value_in(operand) < 0) {
    return std::nullopt;
  }
  const auto elements = GraphFacts(graph_).reals(operand);
  return elements && elements->size() == 1 ? std::optional((*elements)[0]) : std::nullopt;
}

bool Pattern::is_number(const isa::Operand& operand, double wanted) const {
  const auto value = number(operand);
  return value && is_near(*value, wanted, facts(operand).dtype);
}

bool Pattern::is_near(double value, double wanted, DType dtype) {
  // Exporters write constants with as few as five digits; f64 programs hold those of f32 ones.
  const double tolerance = dtype == DType::kF16    ? 1e-3
                           : dtype == DType::kBF16 ? 8e-3
                           : dtype == DType::kF64  ? 1e-7
                                                   : 2e-5;
  return std::abs(value - wanted) <= tolerance * std::abs(wanted);
}

int Pattern::uses(const isa::Operand& operand) const {
  const auto value = static_cast<std::size_t>(value_in(operand));
  return value < uses_.size() ? uses_[value] : 0;
}

const semantics::TensorFacts& Pattern::facts(const isa::Operand& operand) const {
  return graph_.values[static_cast<std::size_t>(operand.number)].facts;
}

bool Pattern::same_facts(const isa::Operand& a, const isa::Operand& b) const {
  return value_in(a) >= 0 && value_in(b) >= 0 && facts(a).dtype == facts(b).dtype &&
         facts(a).shape == facts(b).shape;
}

isa::Instruction with_defaults(isa::Opcode opcode) {
  isa::Instruction instruction{opcode, {}};
  for (const isa::OperandInfo& info : isa::info(opcode).operands) {
    isa::Operand& operand = instruction.operands.emplace_back();
    if (info.default_value.presence == isa::Default::Presence::kOptional) {
      operand.form = info.default_value.form;
      operand.number = info.default_value.number;
      operand.real = info.default_value.real;
    }
  }
  return instruction;
}

}  // namespace pliant::plan
