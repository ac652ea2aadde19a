#include <optional>
#include <utility>
#include <vector>

#include "plan/operands.h"
#include "plan/passes.h"
#include "plan/pattern.h"
#include "plan/reduced_axes.h"

namespace pliant::plan {
namespace {

using isa::Opcode;
using isa::Operand;

/// e^(x - max) / sum, each along one axis. Without the maximum it is left alone: then the parts
/// overflow where SOFTMAX does not.
class Softmax {
 public:
  explicit Softmax(const Graph& graph) : pattern_(graph) {}

  /// The SOFTMAX that the instruction ends, or nothing.
  std::optional<isa::Instruction> match(const isa::Instruction& root) {
    pattern_.start(root);
    const Operand& result = root.operands[0];
    std::optional<isa::Instruction> softmax;
    if (root.opcode == Opcode::kSoftmax) {
      softmax = without_maximum(root);
    } else if (root.opcode == Opcode::kElementwiseDivide) {
      softmax = from_parts(root.operands[isa::ElementwiseDivide::lhs],
                           root.operands[isa::ElementwiseDivide::rhs]);
    } else if (root.opcode == Opcode::kElementwiseMultiply) {
      either_way(pattern_, root.operands[isa::ElementwiseMultiply::lhs],
                 root.operands[isa::ElementwiseMultiply::rhs],
                 [&](const Operand& powers, const Operand& inverse) {
                   const auto* row = pattern_.find(inverse, Opcode::kElementwiseReciprocal);
                   softmax = row == nullptr
                                 ? std::nullopt
                                 : from_parts(powers, row->operands[isa::ElementwiseReciprocal::x]);
                   return softmax.has_value();
                 });
    }
    if (!softmax || !pattern_.same_facts(softmax->operands[isa::Softmax::x], result) ||
        !pattern_.is_closed()) {
      return std::nullopt;
    }
    softmax->operands[isa::Softmax::dst] = result;
    return softmax;
  }

 private:
  /// SOFTMAX of x - max is that of x, which subtracts the maximum itself.
  std::optional<isa::Instruction> without_maximum(const isa::Instruction& root) {
    const Operand& difference = root.operands[isa::Softmax::x];
    const std::size_t rank = pattern_.facts(root.operands[isa::Softmax::dst]).shape.size();
    const std::int64_t axis = root.operands[isa::Softmax::axis].number;
    const auto x =
        above_maximum(difference, {axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis}, rank);
    if (!x) {
      return std::nullopt;
    }
    isa::Instruction softmax = root;
    softmax.operands[isa::Softmax::x] = *x;
    return softmax;
  }

  /// The x of x - max(x) along these axes.
  std::optional<Operand> above_maximum(const Operand& operand,
                                       const std::vector<std::int64_t>& axes, std::size_t rank) {
    const auto* difference = pattern_.find(operand, Opcode::kElementwiseSubtract);
    if (difference == nullptr) {
      return std::nullopt;
    }
    const Operand& x = difference->operands[isa::ElementwiseSubtract::lhs];
    const auto* maximum =
        pattern_.find(difference->operands[isa::ElementwiseSubtract::rhs], Opcode::kReduceMaximum);
    const bool found = maximum != nullptr && maximum->operands[isa::ReduceMaximum::x] == x &&
                       pattern_.same_facts(x, operand) && kept_reduced_axes(*maximum, rank) == axes;
    return found ? std::optional(x) : std::nullopt;
  }

  std::optional<isa::Instruction> from_parts(const Operand& powers, const Operand& sum) {
    const auto* total = pattern_.find(sum, Opcode::kReduceSum);
    const auto* exponential = pattern_.find(powers, Opcode::kElementwiseExponential);
    if (total == nullptr || exponential == nullptr ||
        !(total->operands[isa::ReduceSum::x] == powers)) {
      return std::nullopt;
    }
    const Operand& difference = exponential->operands[isa::ElementwiseExponential::x];
    const std::size_t rank = pattern_.facts(powers).shape.size();
    const auto axes = kept_reduced_axes(*total, rank);
    if (!axes || axes->size() != 1) {
      return std::nullopt;
    }
    const auto x = above_maximum(difference, *axes, rank);
    if (!x) {
      return std::nullopt;
    }
    isa::Instruction softmax = with_defaults(Opcode::kSoftmax);
    softmax.operands[isa::Softmax::x] = *x;
    softmax.operands[isa::Softmax::axis] = isa::number((*axes)[0]);
    return softmax;
  }

  Pattern pattern_;
};

}  // namespace

void fuse_softmax(Graph& graph) {
  Softmax softmax(graph);
  for (Node& node : graph.nodes) {
    if (node.instructions.size() != 1) {
      continue;
    }
    if (auto fused = softmax.match(node.instructions[0])) {
      node.instructions[0] = std::move(*fused);
    }
  }
  drop_dead(graph);
}

}  // namespace pliant::plan
