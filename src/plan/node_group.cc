#include "plan/node_group.h"

#include <algorithm>

#include "plan/operands.h"

namespace pliant::plan {

std::vector<int> count_uses(const Graph& graph) {
  std::vector<int> uses(graph.values.size(), 0);
  for (const Node& node : graph.nodes) {
    for (const isa::Instruction& instruction : node.instructions) {
      for_each_use(instruction, [&](const isa::Operand& operand) {
        if (operand.form == isa::Form::kRegister) {
          ++uses[static_cast<std::size_t>(operand.number)];
        }
      });
    }
  }
  for (const LiveOut& out : graph.live_outs) {
    if (out.kind != LiveOut::Kind::kSizeRegister) {
      ++uses[static_cast<std::size_t>(out.value)];
    }
  }
  return uses;
}

NodeGroup::NodeGroup(const Graph& graph, const Node& node, const std::vector<int>& uses)
    : graph_(graph), includes_first_(has_effect(node.instructions[0], isa::kElementwise)) {
  // Uses that are left once those inside the node are taken off.
  std::vector<std::pair<int, int>> defined;  // value, uses outside
  const auto define = [&](const isa::Instruction& instruction) {
    const int value = single_result(instruction);
    defined.push_back({value, value < 0 ? 0 : uses[static_cast<std::size_t>(value)]});
  };
  if (!includes_first_) {
    define(node.instructions[0]);
    operands_.push_back(isa::reg(single_result(node.instructions[0])));
  }
  // First the operands, since members are numbered behind them.
  const std::size_t begin = includes_first_ ? 0 : 1;
  for (std::size_t i = begin; i < node.instructions.size(); ++i) {
    for_each_use(node.instructions[i], [&](const isa::Operand& operand) {
      const int value = value_in(operand);
      const auto own = std::find_if(defined.begin(), defined.end(),
                                    [&](const auto& entry) { return entry.first == value; });
      if (value >= 0 && own != defined.end()) {
        --own->second;
        if (own != defined.begin() || includes_first_) {
          return;
        }
      }
      if (std::find(operands_.begin(), operands_.end(), operand) == operands_.end()) {
        operands_.push_back(operand);
      }
    });
    define(node.instructions[i]);
    member_values_.push_back(single_result(node.instructions[i]));
  }
  for (std::size_t i = begin; i < node.instructions.size(); ++i) {
    bind::ElementwiseGroup::Member member;
    member.instruction = &node.instructions[i];
    for_each_use(node.instructions[i], [&](const isa::Operand& operand) {
      member.sources.push_back(position_of(operand));
    });
    members_.push_back(member);
  }
  for (std::size_t i = 0; i < member_values_.size(); ++i) {
    if (defined[i + begin].second > 0) {
      result_members_.push_back(static_cast<int>(i));
      results_.push_back(member_values_[i]);
    }
  }
}

int NodeGroup::position_of(const isa::Operand& operand) {
  const auto found = std::find(operands_.begin(), operands_.end(), operand);
  if (found != operands_.end()) {
    return static_cast<int>(found - operands_.begin());
  }
  const auto member = std::find(member_values_.begin(), member_values_.end(), value_in(operand));
  return static_cast<int>(operands_.size()) + static_cast<int>(member - member_values_.begin());
}

std::optional<bind::ElementwiseGroup> NodeGroup::make(CpuLevel level) const {
  if (operands_.size() > static_cast<std::size_t>(kernels::kMaxChainOperands) ||
      members_.size() > static_cast<std::size_t>(kernels::kMaxChainLinks) || results_.empty() ||
      results_.size() > static_cast<std::size_t>(kernels::kMaxChainResults)) {
    return std::nullopt;
  }
  InlineVector<DType, kernels::kMaxChainOperands> types;
  for (const isa::Operand& operand : operands_) {
    const int value = value_in(operand);
    types.push_back(value < 0 ? DType::kI64
                              : graph_.values[static_cast<std::size_t>(value)].facts.dtype);
  }
  return bind::ElementwiseGroup::make(members_, std::span<const DType>(types.data(), types.size()),
                                      result_members_, level);
}

}  // namespace pliant::plan
