#include "plan/repeated_heads.h"

#include "plan/operands.h"

namespace pliant::plan {

using isa::Opcode;
using isa::Operand;
using semantics::ExtentShape;

std::optional<Operand> unrepeated_heads(Pattern& pattern, const Operand& operand) {
  const auto* merged = pattern.find(operand, Opcode::kReshape);
  if (merged == nullptr) {
    return std::nullopt;
  }
  const auto* repeated = pattern.find(merged->operands[isa::Reshape::x], Opcode::kBroadcastTo);
  const auto* parted = repeated == nullptr ? nullptr
                                           : pattern.find(repeated->operands[isa::BroadcastTo::x],
                                                          Opcode::kUnsqueeze);
  if (parted == nullptr || value_in(parted->operands[isa::Unsqueeze::x]) < 0) {
    return std::nullopt;
  }
  const Operand& x = parted->operands[isa::Unsqueeze::x];
  const ExtentShape& from = pattern.facts(x).shape;
  const ExtentShape& single = pattern.facts(parted->operands[isa::Unsqueeze::dst]).shape;
  const ExtentShape& many = pattern.facts(repeated->operands[isa::BroadcastTo::dst]).shape;
  const ExtentShape& to = pattern.facts(operand).shape;
  if (from.size() != 4 || single.size() != 5 || many.size() != 5 || to.size() != 4 ||
      !single[2].is(1) || !(single[1] == from[1]) || !(many[1] == from[1]) ||
      !many[2].is_number() || !from[1].is_number() ||
      !to[1].is(from[1].number() * many[2].number())) {
    return std::nullopt;
  }
  for (const std::size_t axis : {0, 2, 3}) {
    if (!(many[axis == 0 ? 0 : axis + 1] == from[axis]) || !(to[axis] == from[axis])) {
      return std::nullopt;
    }
  }
  return x;
}

}  // namespace pliant::plan
