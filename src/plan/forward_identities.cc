#include <algorithm>
#include <iterator>

#include "plan/operands.h"
#include "plan/passes.h"
#include "plan/replace_values.h"

namespace pliant::plan {
namespace {

bool is_identity_permutation(const isa::Instruction& transpose) {
  const isa::Operand& perm = transpose.operands[isa::Transpose::perm];
  if (!perm.given()) {
    return false;  // reversed
  }
  for (std::size_t i = 0; i < perm.list.size(); ++i) {
    if (perm.list[i].number != static_cast<std::int64_t>(i)) {
      return false;
    }
  }
  return true;
}

bool same_type(const Value& a, const Value& b) {
  return a.facts.dtype == b.facts.dtype;
}
bool same_shape(const Value& a, const Value& b) {
  return a.facts.shape == b.facts.shape;
}

/// Rows whose result is their operand when both have one shape (and type).
constexpr isa::Opcode kIdentityByShape[] = {
    isa::Opcode::kReshape,     isa::Opcode::kFlatten, isa::Opcode::kSqueeze,
    isa::Opcode::kUnsqueeze,   isa::Opcode::kTile,    isa::Opcode::kCast,
    isa::Opcode::kBroadcastTo,
};

/// A slice forwards is whole when it has the shape of its operand.
bool runs_forwards(const isa::Instruction& slice) {
  const isa::Operand& steps = slice.operands[isa::Slice::steps];
  return std::all_of(steps.list.begin(), steps.list.end(), [](const isa::Operand& step) {
    return step.form == isa::Form::kNumber && step.number > 0;
  });
}

/// The value that a node merely passes on, or -1.
int passed_on(const Graph& graph, const isa::Instruction& instruction) {
  const int result = single_result(instruction);
  if (result < 0) {
    return -1;
  }
  const auto value = [&](int index) -> const Value& {
    return graph.values[static_cast<std::size_t>(index)];
  };
  if (instruction.opcode == isa::Opcode::kConcat) {
    const auto& parts = instruction.operands[isa::Concat::parts].list;
    return parts.size() == 1 ? value_in(parts[0]) : -1;
  }
  const int x = value_in(instruction.operands[1]);
  if (x < 0) {
    return -1;
  }
  if (instruction.opcode == isa::Opcode::kTranspose) {
    return is_identity_permutation(instruction) ? x : -1;
  }
  const bool listed = std::find(std::begin(kIdentityByShape), std::end(kIdentityByShape),
                                instruction.opcode) != std::end(kIdentityByShape);
  const bool slice = instruction.opcode == isa::Opcode::kSlice && runs_forwards(instruction);
  if (!listed && !slice) {
    return -1;
  }
  return same_shape(value(x), value(result)) && same_type(value(x), value(result)) ? x : -1;
}

}  // namespace

void forward_identities(Graph& graph) {
  Replacements replacements(graph);
  for (Node& node : graph.nodes) {
    for (isa::Instruction& instruction : node.instructions) {
      replacements.apply(instruction);
    }
    if (node.instructions.size() != 1) {
      continue;
    }
    const int source = passed_on(graph, node.instructions[0]);
    if (source >= 0) {
      replacements.replace(single_result(node.instructions[0]), source);
    }
  }
  replacements.apply_to_live_outs(graph);
}

}  // namespace pliant::plan
