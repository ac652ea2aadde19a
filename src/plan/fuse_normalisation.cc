#include <optional>
#include <utility>

#include "plan/operands.h"
#include "plan/passes.h"
#include "plan/pattern.h"
#include "plan/reduced_axes.h"
#include "tensor/dtype.h"

namespace pliant::plan {
namespace {

using isa::Opcode;
using isa::Operand;

/// x divided by the root of the mean of its squares, and that of x - mean; then the scale, and then
/// the bias, joins what has been found before. TensorFlow multiplies scale and inverse first.
class Normalisation {
 public:
  explicit Normalisation(const Graph& graph) : pattern_(graph) {}

  /// The LAYER_NORM or RMS_NORM that the instruction ends, or nothing.
  std::optional<isa::Instruction> match(const isa::Instruction& root) {
    pattern_.start(root);
    if (root.opcode == Opcode::kElementwiseAdd) {
      auto norm = with_bias(root);
      return norm ? norm : with_factor(root);
    }
    if (root.opcode == Opcode::kElementwiseDivide) {
      return quotient(root);
    }
    if (root.opcode != Opcode::kElementwiseMultiply) {
      return std::nullopt;
    }
    auto norm = with_scale(root);
    return norm ? norm : product(root);
  }

 private:
  // ---- x / sqrt(mean(x^2) + epsilon) ----

  std::optional<isa::Instruction> quotient(const isa::Instruction& root) {
    const Operand& centred = root.operands[isa::ElementwiseDivide::lhs];
    const auto variance = variance_of(root.operands[isa::ElementwiseDivide::rhs], 0.5);
    return variance ? norm_of(root, centred, *variance) : std::nullopt;
  }

  std::optional<isa::Instruction> product(const isa::Instruction& root) {
    std::optional<isa::Instruction> norm;
    either_way(pattern_, root.operands[isa::ElementwiseMultiply::lhs],
               root.operands[isa::ElementwiseMultiply::rhs],
               [&](const Operand& centred, const Operand& inverse) {
                 const auto variance = variance_of_inverse(inverse);
                 norm = variance ? norm_of(root, centred, *variance) : std::nullopt;
                 return norm.has_value();
               });
    return norm;
  }

  struct Variance {
    Operand mean_square;
    double epsilon = 0;
  };

  /// The root is written as SQRT or as POW.
  std::optional<Variance> variance_of(const Operand& deviation, double exponent) {
    Operand sum;
    if (const auto* power = pattern_.find(deviation, Opcode::kElementwisePower)) {
      if (!pattern_.is_number(power->operands[isa::ElementwisePower::rhs], exponent)) {
        return std::nullopt;
      }
      sum = power->operands[isa::ElementwisePower::lhs];
    } else if (const auto* root = pattern_.find(deviation, Opcode::kElementwiseSquareRoot)) {
      if (exponent != 0.5) {
        return std::nullopt;
      }
      sum = root->operands[isa::ElementwiseSquareRoot::x];
    }
    const auto* added = pattern_.find(sum, Opcode::kElementwiseAdd);
    if (added == nullptr) {
      return std::nullopt;
    }
    for (const int epsilon : {isa::ElementwiseAdd::lhs, isa::ElementwiseAdd::rhs}) {
      const auto other = isa::ElementwiseAdd::lhs + isa::ElementwiseAdd::rhs - epsilon;
      if (const auto value = pattern_.number(added->operands[static_cast<std::size_t>(epsilon)])) {
        return Variance{added->operands[static_cast<std::size_t>(other)], *value};
      }
    }
    return std::nullopt;
  }

  std::optional<Variance> variance_of_inverse(const Operand& inverse) {
    if (const auto* row = pattern_.find(inverse, Opcode::kElementwiseReciprocal)) {
      return variance_of(row->operands[isa::ElementwiseReciprocal::x], 0.5);
    }
    if (const auto* row = pattern_.find(inverse, Opcode::kElementwiseDivide)) {
      return pattern_.is_number(row->operands[isa::ElementwiseDivide::lhs], 1.0)
                 ? variance_of(row->operands[isa::ElementwiseDivide::rhs], 0.5)
                 : std::nullopt;
    }
    return variance_of(inverse, -0.5);
  }

  /// Whether the operand is x * x or x^2.
  bool is_square(const Operand& operand, const Operand& x) {
    if (const auto* row = pattern_.find(operand, Opcode::kElementwisePower)) {
      return row->operands[isa::ElementwisePower::lhs] == x &&
             pattern_.is_number(row->operands[isa::ElementwisePower::rhs], 2.0);
    }
    const auto* row = pattern_.find(operand, Opcode::kElementwiseMultiply);
    return row != nullptr && row->operands[isa::ElementwiseMultiply::lhs] == x &&
           row->operands[isa::ElementwiseMultiply::rhs] == x;
  }

  /// The x of x * x or x^2.
  std::optional<Operand> square_root_of(const Operand& operand) {
    for (const Opcode opcode : {Opcode::kElementwisePower, Opcode::kElementwiseMultiply}) {
      if (const auto* row = pattern_.find(operand, opcode)) {
        const Operand& x = row->operands[isa::ElementwiseMultiply::lhs];
        return is_square(operand, x) ? std::optional(x) : std::nullopt;
      }
    }
    return std::nullopt;
  }

  std::optional<isa::Instruction> norm_of(const isa::Instruction& root, const Operand& centred,
                                          const Variance& variance) {
    const Operand& result = root.operands[0];
    const auto* mean = pattern_.find(variance.mean_square, Opcode::kReduceMean);
    if (mean == nullptr || !is_square(mean->operands[isa::ReduceMean::x], centred) ||
        !pattern_.same_facts(centred, result) || !is_float(pattern_.facts(result).dtype)) {
      return std::nullopt;
    }
    const std::size_t rank = pattern_.facts(centred).shape.size();
    const auto axes = last_axes(*mean, rank);
    if (!axes) {
      return std::nullopt;
    }
    const std::size_t mark = pattern_.mark();
    if (const auto x = centred_operand(centred, *axes, rank)) {
      if (pattern_.same_facts(*x, centred) && pattern_.is_closed()) {
        return layer_norm_of(result, *x, (*axes)[0], variance.epsilon);
      }
    }
    pattern_.rewind(mark);
    if (!pattern_.is_closed()) {
      return std::nullopt;
    }
    isa::Instruction norm = with_defaults(Opcode::kRmsNorm);
    norm.operands[isa::RmsNorm::dst] = result;
    norm.operands[isa::RmsNorm::x] = centred;
    norm.operands[isa::RmsNorm::axis] = isa::number((*axes)[0]);
    norm.operands[isa::RmsNorm::epsilon] = isa::real(variance.epsilon);
    return norm;
  }

  static isa::Instruction layer_norm_of(const Operand& result, const Operand& x, std::int64_t axis,
                                        double epsilon) {
    isa::Instruction norm = with_defaults(Opcode::kLayerNorm);
    norm.operands[isa::LayerNorm::dst] = result;
    norm.operands[isa::LayerNorm::x] = x;
    norm.operands[isa::LayerNorm::axis] = isa::number(axis);
    norm.operands[isa::LayerNorm::epsilon] = isa::real(epsilon);
    return norm;
  }

  /// The axes of a mean that keeps them, if they are the last ones.
  static std::optional<std::vector<std::int64_t>> last_axes(const isa::Instruction& mean,
                                                            std::size_t rank) {
    auto axes = kept_reduced_axes(mean, rank);
    const bool are_last = axes && (*axes)[0] + static_cast<std::int64_t>(axes->size()) ==
                                      static_cast<std::int64_t>(rank);
    return are_last ? axes : std::nullopt;
  }

  /// The x of x - mean(x) over these axes.
  std::optional<Operand> centred_operand(const Operand& centred,
                                         const std::vector<std::int64_t>& axes, std::size_t rank) {
    const auto* difference = pattern_.find(centred, Opcode::kElementwiseSubtract);
    if (difference == nullptr) {
      return std::nullopt;
    }
    const Operand& x = difference->operands[isa::ElementwiseSubtract::lhs];
    const auto* mean =
        pattern_.find(difference->operands[isa::ElementwiseSubtract::rhs], Opcode::kReduceMean);
    if (mean == nullptr || !(mean->operands[isa::ReduceMean::x] == x) ||
        kept_reduced_axes(*mean, rank) != axes) {
      return std::nullopt;
    }
    mean_ = difference->operands[isa::ElementwiseSubtract::rhs];
    return x;
  }

  // ---- x * factor + (bias - mean * factor), factor = scale / sqrt(variance + epsilon) ----

  std::optional<isa::Instruction> with_factor(const isa::Instruction& root) {
    using Add = isa::ElementwiseAdd;
    using Multiply = isa::ElementwiseMultiply;
    std::optional<isa::Instruction> norm;
    either_way(pattern_, root.operands[Add::lhs], root.operands[Add::rhs],
               [&](const Operand& scaled, const Operand& shift) {
                 const auto* product = pattern_.find(scaled, Opcode::kElementwiseMultiply);
                 const auto* difference = pattern_.find(shift, Opcode::kElementwiseSubtract);
                 if (product == nullptr || difference == nullptr) {
                   return false;
                 }
                 return either_way(pattern_, product->operands[Multiply::lhs],
                                   product->operands[Multiply::rhs],
                                   [&](const Operand& x, const Operand& factor) {
                                     norm = of_factor(root, x, factor, *difference);
                                     return norm.has_value();
                                   });
               });
    return norm;
  }

  /// `difference` has to be bias - mean * factor.
  std::optional<isa::Instruction> of_factor(const isa::Instruction& root, const Operand& x,
                                            const Operand& factor,
                                            const isa::Instruction& difference) {
    using Multiply = isa::ElementwiseMultiply;
    const auto* scaling = pattern_.find(factor, Opcode::kElementwiseMultiply);
    const auto* shift = pattern_.find(difference.operands[isa::ElementwiseSubtract::rhs],
                                      Opcode::kElementwiseMultiply);
    if (scaling == nullptr || shift == nullptr || value_in(x) < 0) {
      return std::nullopt;
    }
    std::optional<isa::Instruction> norm;
    either_way(pattern_, scaling->operands[Multiply::lhs], scaling->operands[Multiply::rhs],
               [&](const Operand& inverse, const Operand& scale) {
                 norm = norm_by_inverse(root, x, inverse);
                 if (!norm || !reads_both(*shift, factor, mean_)) {
                   norm.reset();
                   return false;
                 }
                 const Operand& axis = norm->operands[isa::LayerNorm::axis];
                 const Operand& bias = difference.operands[isa::ElementwiseSubtract::lhs];
                 if (!fits(*norm, axis, scale, root.operands[0]) ||
                     !fits(*norm, axis, bias, root.operands[0]) || !pattern_.is_closed()) {
                   norm.reset();
                   return false;
                 }
                 norm->operands[isa::LayerNorm::scale] = scale;
                 norm->operands[isa::LayerNorm::bias] = bias;
                 return true;
               });
    return norm;
  }

  static bool reads_both(const isa::Instruction& product, const Operand& a, const Operand& b) {
    const Operand& lhs = product.operands[isa::ElementwiseMultiply::lhs];
    const Operand& rhs = product.operands[isa::ElementwiseMultiply::rhs];
    return (lhs == a && rhs == b) || (lhs == b && rhs == a);
  }

  /// The LAYER_NORM of x, without scale and bias, whose 1 / sqrt(variance + epsilon) this is; mean_
  /// is then the mean of x.
  std::optional<isa::Instruction> norm_by_inverse(const isa::Instruction& root, const Operand& x,
                                                  const Operand& inverse) {
    const auto variance = variance_of_inverse(inverse);
    const auto* mean_square =
        variance ? pattern_.find(variance->mean_square, Opcode::kReduceMean) : nullptr;
    if (mean_square == nullptr || !pattern_.same_facts(x, root.operands[0]) ||
        !is_float(pattern_.facts(x).dtype)) {
      return std::nullopt;
    }
    const std::size_t rank = pattern_.facts(x).shape.size();
    const auto axes = last_axes(*mean_square, rank);
    const auto centred = square_root_of(mean_square->operands[isa::ReduceMean::x]);
    if (!axes || !centred || centred_operand(*centred, *axes, rank) != x) {
      return std::nullopt;
    }
    return layer_norm_of(root.operands[0], x, (*axes)[0], variance->epsilon);
  }

  // ---- scale and bias ----

  /// The norm in the operand's place, if nobody else reads it.
  const isa::Instruction* norm_in(const Operand& operand, Opcode opcode) {
    return pattern_.uses(operand) == 1 ? pattern_.find(operand, opcode) : nullptr;
  }

  /// Whether the operand broadcasts to the normalised axes of the norm alone, and what comes out is
  /// what the norm has.
  bool fits(const isa::Instruction& norm, const Operand& axis, const Operand& operand,
            const Operand& result) const {
    const Operand& x = norm.operands[isa::LayerNorm::x];
    if (value_in(operand) < 0 || !pattern_.same_facts(x, result) ||
        pattern_.facts(operand).dtype != pattern_.facts(x).dtype) {
      return false;
    }
    const auto& shape = pattern_.facts(x).shape;
    const auto& given = pattern_.facts(operand).shape;
    const std::size_t first = static_cast<std::size_t>(
        axis.number < 0 ? axis.number + static_cast<std::int64_t>(shape.size()) : axis.number);
    if (given.size() + first > shape.size()) {
      return false;
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (!given[i].is(1) && !(given[i] == shape[shape.size() - given.size() + i])) {
        return false;
      }
    }
    return true;
  }

  struct ScaledRow {
    Opcode opcode;
    std::size_t scale;
    std::size_t axis;
  };
  static constexpr ScaledRow kScaledRows[] = {
      {Opcode::kRmsNorm, isa::RmsNorm::scale, isa::RmsNorm::axis},
      {Opcode::kLayerNorm, isa::LayerNorm::scale, isa::LayerNorm::axis}};

  std::optional<isa::Instruction> with_scale(const isa::Instruction& root) {
    std::optional<isa::Instruction> scaled;
    either_way(pattern_, root.operands[isa::ElementwiseMultiply::lhs],
               root.operands[isa::ElementwiseMultiply::rhs],
               [&](const Operand& normalised, const Operand& scale) {
                 for (const ScaledRow& row : kScaledRows) {
                   const auto* norm = norm_in(normalised, row.opcode);
                   if (norm != nullptr && !norm->operands[row.scale].given() && !has_bias(*norm) &&
                       fits(*norm, norm->operands[row.axis], scale, root.operands[0])) {
                     scaled = *norm;
                     scaled->operands[0] = root.operands[0];
                     scaled->operands[row.scale] = scale;
                     return true;
                   }
                 }
                 return false;
               });
    return scaled;
  }

  static bool has_bias(const isa::Instruction& norm) {
    return norm.opcode == Opcode::kLayerNorm && norm.operands[isa::LayerNorm::bias].given();
  }

  std::optional<isa::Instruction> with_bias(const isa::Instruction& root) {
    std::optional<isa::Instruction> shifted;
    either_way(pattern_, root.operands[isa::ElementwiseAdd::lhs],
               root.operands[isa::ElementwiseAdd::rhs],
               [&](const Operand& normalised, const Operand& bias) {
                 const auto* norm = norm_in(normalised, Opcode::kLayerNorm);
                 if (norm == nullptr || has_bias(*norm) ||
                     !fits(*norm, norm->operands[isa::LayerNorm::axis], bias, root.operands[0])) {
                   return false;
                 }
                 shifted = *norm;
                 shifted->operands[0] = root.operands[0];
                 shifted->operands[isa::LayerNorm::bias] = bias;
                 return true;
               });
    return shifted;
  }

  Pattern pattern_;
  Operand mean_;  ///< what centred_operand() has found last
};

}  // namespace

void fuse_normalisation(Graph& graph) {
  Normalisation normalisation(graph);
  for (Node& node : graph.nodes) {
    if (node.instructions.size() != 1) {
      continue;
    }
    if (auto fused = normalisation.match(node.instructions[0])) {
      node.instructions[0] = std::move(*fused);
    }
  }
  drop_dead(graph);
}

}  // namespace pliant::plan
