#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plan/graph.h"

namespace pliant::plan {

/// Looks for a pattern of instructions that ends in one of them, its root, going from results to
/// operands. What find() has returned is part of the match; the passes that replace patterns by one
/// instruction ask is_closed() whether nobody else reads what is inside.
///
/// Nodes may be replaced in place while it lives; they must not move.
class Pattern {
 public:
  explicit Pattern(const Graph& graph);

  /// Starts to look for a match that ends in this instruction.
  void start(const isa::Instruction& root);

  /// The instruction that makes what stands in the operand's place, if it is one of this row, alone
  /// in its node and with one result. Null otherwise. It becomes part of the match.
  const isa::Instruction* find(const isa::Operand& operand, isa::Opcode opcode);

  /// How much has been matched, and back to there: for alternatives.
  [[nodiscard]] std::size_t mark() const { return inside_.size(); }
  void rewind(std::size_t mark) { inside_.resize(mark); }

  /// True when all results inside the match, but for the root's, are read inside the match alone and
  /// are not left behind. Views compute nothing, so they may have other readers.
  [[nodiscard]] bool is_closed() const;

  /// The constant of one element in the operand's place.
  [[nodiscard]] std::optional<double> number(const isa::Operand& operand) const;
  /// Whether it is that, within the precision of its type.
  [[nodiscard]] bool is_number(const isa::Operand& operand, double wanted) const;
  /// Whether a number is another one within the precision of a type.
  [[nodiscard]] static bool is_near(double value, double wanted, DType dtype);

  /// How often the value is read (0 if it is new), by nodes and as what the graph leaves behind.
  [[nodiscard]] int uses(const isa::Operand& operand) const;
  /// What is known of the tensor in the operand's place, which must not be an extent.
  [[nodiscard]] const semantics::TensorFacts& facts(const isa::Operand& operand) const;
  /// Whether both stand for tensors of one type and shape.
  [[nodiscard]] bool same_facts(const isa::Operand& a, const isa::Operand& b) const;

 private:
  const Graph& graph_;
  std::vector<int> uses_;      ///< by value
  std::vector<int> producer_;  ///< by value: its node, or -1
  const isa::Instruction* root_ = nullptr;
  std::vector<const isa::Instruction*> inside_;
};

/// An instruction whose operands all have their defaults.
[[nodiscard]] isa::Instruction with_defaults(isa::Opcode opcode);

/// Which of two operands is the one that `matches`: calls it with each as the first and the other as
/// the second until it returns true. For rows that do not care about the order.
template <class Matches>
bool either_way(Pattern& pattern, const isa::Operand& a, const isa::Operand& b,
                const Matches& matches) {
  const std::size_t mark = pattern.mark();
  if (matches(a, b)) {
    return true;
  }
  pattern.rewind(mark);
  if (matches(b, a)) {
    return true;
  }
  pattern.rewind(mark);
  return false;
}

}  // namespace pliant::plan
