#include <algorithm>
#include <optional>
#include <utility>

#include "plan/operands.h"
#include "plan/passes.h"
#include "plan/pattern.h"
#include "tensor/dtype.h"

namespace pliant::plan {
namespace {

using isa::Opcode;
using isa::Operand;

/// Rows whose kernels compute 16-bit floats in f32 and round once, at the end: what f32 between casts
/// does, too.
constexpr Opcode kRows[] = {Opcode::kLayerNorm, Opcode::kRmsNorm, Opcode::kGroupNorm,
                            Opcode::kSoftmax, Opcode::kLogSoftmax};

class Casts {
 public:
  explicit Casts(const Graph& graph) : pattern_(graph) {}

  /// The row between the cast to 16 bits that `root` is and those of its operands from 16 bits.
  std::optional<isa::Instruction> match(const isa::Instruction& root) {
    if (root.opcode != Opcode::kCast || pattern_.uses(root.operands[isa::Cast::x]) != 1) {
      return std::nullopt;
    }
    const DType dtype = pattern_.facts(root.operands[isa::Cast::dst]).dtype;
    if (dtype != DType::kF16 && dtype != DType::kBF16) {
      return std::nullopt;
    }
    pattern_.start(root);
    for (const Opcode opcode : kRows) {
      if (const auto* row = pattern_.find(root.operands[isa::Cast::x], opcode)) {
        return between_casts(*row, dtype, root.operands[isa::Cast::dst]);
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<isa::Instruction> between_casts(const isa::Instruction& row, DType dtype,
                                                const Operand& result) {
    if (pattern_.facts(row.operands[0]).dtype != DType::kF32) {
      return std::nullopt;
    }
    isa::Instruction narrow = row;
    narrow.operands[0] = result;
    bool all_narrow = true;
    for_each_use(narrow, [&](Operand& operand) {
      const auto* cast = pattern_.find(operand, Opcode::kCast);
      all_narrow = all_narrow && cast != nullptr &&
                   pattern_.facts(cast->operands[isa::Cast::x]).dtype == dtype;
      if (all_narrow) {
        operand = cast->operands[isa::Cast::x];
      }
    });
    return all_narrow ? std::optional(std::move(narrow)) : std::nullopt;
  }

  Pattern pattern_;
};

}  // namespace

void absorb_casts(Graph& graph) {
  Casts casts(graph);
  for (Node& node : graph.nodes) {
    if (node.instructions.size() != 1) {
      continue;
    }
    if (auto narrow = casts.match(node.instructions[0])) {
      node.instructions[0] = std::move(*narrow);
    }
  }
  drop_dead(graph);
}

}  // namespace pliant::plan
