#pragma once

#include <vector>

#include "plan/graph.h"

namespace pliant::plan {

/// Which value stands for another. Chains are followed when it is applied.
class Replacements {
 public:
  explicit Replacements(const Graph& graph) : by_(graph.values.size(), -1) {}

  void replace(int value, int by) { by_[static_cast<std::size_t>(value)] = by; }
  [[nodiscard]] int find(int value) const {
    while (by_[static_cast<std::size_t>(value)] >= 0) {
      value = by_[static_cast<std::size_t>(value)];
    }
    return value;
  }
  /// In the operands of one instruction.
  void apply(isa::Instruction& instruction) const;
  /// In what the graph leaves behind.
  void apply_to_live_outs(Graph& graph) const;

 private:
  std::vector<int> by_;
};

}  // namespace pliant::plan
