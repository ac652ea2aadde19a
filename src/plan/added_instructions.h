#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "plan/graph.h"

namespace pliant::plan {

/// Instructions with one result that a fusion puts in front of the one that it makes.
class AddedInstructions {
 public:
  /// `instruction` with a new value as its result, which is returned.
  isa::Operand add(Graph& graph, isa::Instruction instruction,
                   const semantics::TensorFacts& facts) {
    Value value;
    value.facts = facts;
    graph.values.push_back(std::move(value));
    instruction.operands[0] = isa::reg(static_cast<std::int64_t>(graph.values.size()) - 1);
    instructions_.push_back(std::move(instruction));
    return instructions_.back().operands[0];
  }
  void clear() { instructions_.clear(); }
  [[nodiscard]] std::vector<isa::Instruction> take() { return std::exchange(instructions_, {}); }

 private:
  std::vector<isa::Instruction> instructions_;
};

}  // namespace pliant::plan
