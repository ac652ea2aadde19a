#include <algorithm>

#include "plan/node_group.h"
#include "plan/operands.h"
#include "plan/passes.h"

namespace pliant::plan {
namespace {

/// Joins nodes into groups, going through the graph once from front to back.
class Grouping {
 public:
  Grouping(Graph& graph, CpuLevel level)
      : graph_(graph),
        level_(level),
        uses_(count_uses(graph)),
        producer_(graph.values.size(), -1) {}

  void run() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      position_ = static_cast<int>(i);
      if (has_effect(graph_.nodes[i].instructions[0], isa::kElementwise)) {
        while (join_a_producer(graph_.nodes[i])) {
        }
      }
      for (const isa::Instruction& instruction : graph_.nodes[i].instructions) {
        for_each_definition(instruction, [&](const isa::Operand& operand) {
          if (operand.given()) {
            producer_[static_cast<std::size_t>(operand.number)] = position_;
          }
        });
      }
    }
    std::erase_if(graph_.nodes, [](const Node& node) { return node.instructions.empty(); });
  }

 private:
  /// Moves one node whose result only `node` reads in front of its instructions. What it reads is
  /// still there at the later place, so nothing else has to move.
  bool join_a_producer(Node& node) {
    if (!has_effect(node.instructions[0], isa::kElementwise)) {
      return false;  // a kernel leads this node already
    }
    std::vector<int> candidates;
    for (const isa::Instruction& instruction : node.instructions) {
      for_each_use(instruction, [&](const isa::Operand& operand) {
        const int value = value_in(operand);
        const int producer = value < 0 ? -1 : producer_[static_cast<std::size_t>(value)];
        if (producer >= 0 && producer != position_ &&
            std::find(candidates.begin(), candidates.end(), producer) == candidates.end()) {
          candidates.push_back(producer);
        }
      });
    }
    // Elementwise nodes first: a kernel ends the search, since only one can lead.
    std::stable_sort(candidates.begin(), candidates.end(), [&](int a, int b) {
      return leads(a) < leads(b) || (leads(a) == leads(b) && a > b);
    });
    return std::any_of(candidates.begin(), candidates.end(),
                       [&](int producer) { return join(producer, node); });
  }

  [[nodiscard]] bool leads(int producer) const {
    return !has_effect(graph_.nodes[static_cast<std::size_t>(producer)].instructions[0],
                       isa::kElementwise);
  }

  bool join(int producer, Node& node) {
    Node& other = graph_.nodes[static_cast<std::size_t>(producer)];
    if (!can_lead(other) || !fits(other, node)) {
      return false;
    }
    Node joined;
    joined.origin = node.origin;
    joined.instructions = other.instructions;
    joined.instructions.insert(joined.instructions.end(), node.instructions.begin(),
                               node.instructions.end());
    if (leads(producer)) {
      joined.origin = other.origin;
    }
    if (!NodeGroup(graph_, joined, uses_).make(level_)) {
      return false;
    }
    node = std::move(joined);
    other.instructions.clear();
    for (const isa::Instruction& instruction : node.instructions) {
      const int result = single_result(instruction);
      producer_[static_cast<std::size_t>(result)] = position_;
    }
    return true;
  }

  /// Kernels with one result; views move nothing, and random rows have their own order.
  static bool can_lead(const Node& node) {
    const isa::Instruction& first = node.instructions[0];
    return isa::info(first.opcode).instruction_class == isa::InstructionClass::kCompute &&
           !has_effect(first, isa::kRandom) && single_result(first) >= 0;
  }

  /// All of what the other node computes is read by this one alone, and has the shape of the result.
  bool fits(const Node& other, const Node& node) const {
    const auto& shape = facts(single_result(node.instructions.back())).shape;
    for (const isa::Instruction& instruction : other.instructions) {
      const int value = single_result(instruction);
      if (!(facts(value).shape == shape)) {
        return false;
      }
      if (reads(other, value) + reads(node, value) != uses_[static_cast<std::size_t>(value)]) {
        return false;
      }
    }
    return true;
  }

  static int reads(const Node& node, int value) {
    int count = 0;
    for (const isa::Instruction& instruction : node.instructions) {
      for_each_use(instruction, [&](const isa::Operand& operand) {
        count += value_in(operand) == value ? 1 : 0;
      });
    }
    return count;
  }

  [[nodiscard]] const semantics::TensorFacts& facts(int value) const {
    return graph_.values[static_cast<std::size_t>(value)].facts;
  }

  Graph& graph_;
  CpuLevel level_;
  std::vector<int> uses_;
  std::vector<int> producer_;  ///< by value: position of its node, or -1
  int position_ = 0;
};

}  // namespace

void group_elementwise(Graph& graph, CpuLevel level) {
  Grouping(graph, level).run();
}

}  // namespace pliant::plan
