#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "plan/operands.h"
#include "plan/passes.h"
#include "plan/pattern.h"
#include "tensor/dtype.h"

namespace pliant::plan {
namespace {

/// A product that is written as MUL, DIV by a number and POW with a small whole exponent.
struct Product {
  double factor = 1;                   ///< all its numbers
  std::vector<isa::Operand> operands;  ///< what else is multiplied
};

class Gelu {
 public:
  explicit Gelu(const Graph& graph) : pattern_(graph) {}

  /// The GELU that the instruction ends, or nothing.
  std::optional<isa::Instruction> match(const isa::Instruction& root) {
    if (root.opcode != isa::Opcode::kElementwiseMultiply &&
        root.opcode != isa::Opcode::kElementwiseDivide) {
      return std::nullopt;
    }
    pattern_.start(root);
    const isa::Operand& result = root.operands[0];
    dtype_ = pattern_.facts(result).dtype;
    if (!is_float(dtype_)) {
      return std::nullopt;
    }
    Product product;
    expand(root, product);
    if (product.operands.size() != 2 || !Pattern::is_near(product.factor, 0.5, dtype_)) {
      return std::nullopt;
    }
    isa::GeluForm form = isa::GeluForm::kExact;
    isa::Operand x;
    const bool found = either_way(
        pattern_, product.operands[0], product.operands[1],
        [&](const isa::Operand& argument, const isa::Operand& cumulative) {
          x = argument;
          const isa::Operand sum = without_one(cumulative);
          if (const auto* erf = pattern_.find(sum, isa::Opcode::kElementwiseErrorFunction)) {
            form = isa::GeluForm::kExact;
            return is_monomial(erf->operands[isa::ElementwiseErrorFunction::x], 0.70710678118, 1,
                               x);
          }
          form = isa::GeluForm::kTanh;
          const auto* tanh = pattern_.find(sum, isa::Opcode::kElementwiseHyperbolicTangent);
          return tanh != nullptr &&
                 is_tanh_argument(tanh->operands[isa::ElementwiseHyperbolicTangent::x], x);
        });
    if (!found || !pattern_.same_facts(x, result) || !pattern_.is_closed()) {
      return std::nullopt;
    }
    isa::Instruction gelu = with_defaults(isa::Opcode::kElementwiseGelu);
    gelu.operands[isa::ElementwiseGelu::dst] = result;
    gelu.operands[isa::ElementwiseGelu::x] = x;
    gelu.operands[isa::ElementwiseGelu::form] = isa::choice(form);
    return gelu;
  }

 private:
  void expand(const isa::Instruction& instruction, Product& product) {
    const isa::Operand& lhs = instruction.operands[1];
    const isa::Operand& rhs = instruction.operands[2];
    if (instruction.opcode == isa::Opcode::kElementwiseDivide) {
      expand(lhs, product);
      if (const auto divisor = pattern_.number(rhs)) {
        product.factor /= *divisor;
      } else {
        product.operands.push_back(isa::absent());  // a true quotient: matches nothing
      }
    } else if (instruction.opcode == isa::Opcode::kElementwisePower) {
      const auto exponent = pattern_.number(rhs);
      const int count = exponent == 2.0 ? 2 : exponent == 3.0 ? 3 : 0;
      product.operands.insert(product.operands.end(), static_cast<std::size_t>(count), lhs);
      if (count == 0) {
        product.operands.push_back(isa::absent());
      }
    } else {
      expand(lhs, product);
      expand(rhs, product);
    }
  }

  /// What is read more than once is x, or no part of the pattern.
  void expand(const isa::Operand& operand, Product& product) {
    if (const auto value = pattern_.number(operand)) {
      product.factor *= *value;
      return;
    }
    if (pattern_.uses(operand) == 1) {
      for (const isa::Opcode opcode :
           {isa::Opcode::kElementwiseMultiply, isa::Opcode::kElementwiseDivide,
            isa::Opcode::kElementwisePower}) {
        if (const auto* inner = pattern_.find(operand, opcode)) {
          expand(*inner, product);
          return;
        }
      }
    }
    product.operands.push_back(operand);
  }

  /// The y of 1 + y, or absent.
  isa::Operand without_one(const isa::Operand& operand) {
    isa::Operand rest;
    if (const auto* sum = pattern_.find(operand, isa::Opcode::kElementwiseAdd)) {
      for (const int one : {1, 2}) {
        if (pattern_.is_number(sum->operands[static_cast<std::size_t>(one)], 1.0)) {
          rest = sum->operands[static_cast<std::size_t>(3 - one)];
        }
      }
    }
    return rest;
  }

  /// Whether the operand is factor * x^power.
  bool is_monomial(const isa::Operand& operand, double factor, std::size_t power,
                   const isa::Operand& x) {
    Product product;
    expand(operand, product);
    return Pattern::is_near(product.factor, factor, dtype_) && product.operands.size() == power &&
           std::all_of(product.operands.begin(), product.operands.end(),
                       [&](const isa::Operand& each) { return each == x; });
  }

  /// sqrt(2 / pi) * (x + 0.044715 x^3), also as sqrt(2 / pi) * x * (1 + 0.044715 x^2).
  bool is_tanh_argument(const isa::Operand& operand, const isa::Operand& x) {
    constexpr double kCubic = 0.044715;
    Product product;
    expand(operand, product);
    if (!Pattern::is_near(product.factor, 0.79788456080, dtype_)) {
      return false;
    }
    if (product.operands.size() == 1) {
      const auto* sum = pattern_.find(product.operands[0], isa::Opcode::kElementwiseAdd);
      return sum != nullptr &&
             either_way(pattern_, sum->operands[1], sum->operands[2],
                        [&](const isa::Operand& linear, const isa::Operand& cubic) {
                          return linear == x && is_monomial(cubic, kCubic, 3, x);
                        });
    }
    return product.operands.size() == 2 &&
           either_way(pattern_, product.operands[0], product.operands[1],
                      [&](const isa::Operand& linear, const isa::Operand& sum) {
                        return linear == x && is_monomial(without_one(sum), kCubic, 2, x);
                      });
  }

  Pattern pattern_;
  DType dtype_ = DType::kF32;
};

}  // namespace

void fuse_gelu(Graph& graph) {
  Gelu gelu(graph);
  for (Node& node : graph.nodes) {
    if (node.instructions.size() != 1) {
      continue;
    }
    if (auto fused = gelu.match(node.instructions[0])) {
      node.instructions[0] = std::move(*fused);
    }
  }
  drop_dead(graph);
}

}  // namespace pliant::plan
