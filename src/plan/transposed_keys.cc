#include "plan/transposed_keys.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace pliant::plan {
namespace {

using isa::Opcode;
using isa::Operand;
using semantics::ExtentShape;

std::vector<std::int64_t> permutation_of(const isa::Instruction& transpose, std::size_t rank) {
  std::vector<std::int64_t> axes(rank);
  const Operand& perm = transpose.operands[isa::Transpose::perm];
  for (std::size_t i = 0; i < rank; ++i) {
    axes[i] = perm.given() ? perm.list[i].number : static_cast<std::int64_t>(rank - 1 - i);
  }
  return axes;
}

/// Exchanges the last two.
template <class List>
void exchange_last(List& list) {
  std::swap(list[list.size() - 1], list[list.size() - 2]);
}

bool is_identity(const std::vector<std::int64_t>& axes) {
  std::vector<std::int64_t> identity(axes.size());
  std::iota(identity.begin(), identity.end(), 0);
  return axes == identity;
}

/// The x of RESHAPE(TRANSPOSE(RESHAPE(x))) where the reshapes only join the leading axes and part
/// them again, as the exporter of PyTorch 2 writes it.
std::optional<Operand> behind_joined_axes(Pattern& pattern, const Operand& transposed) {
  const auto* parted = pattern.find(transposed, Opcode::kReshape);
  const auto* exchanged = parted == nullptr
                              ? nullptr
                              : pattern.find(parted->operands[isa::Reshape::x], Opcode::kTranspose);
  const auto* joined = exchanged == nullptr
                           ? nullptr
                           : pattern.find(exchanged->operands[isa::Transpose::x], Opcode::kReshape);
  if (joined == nullptr || joined->operands[isa::Reshape::x].form != isa::Form::kRegister) {
    return std::nullopt;
  }
  const Operand& x = joined->operands[isa::Reshape::x];
  ExtentShape expected = pattern.facts(x).shape;
  const ExtentShape& inner = pattern.facts(joined->operands[isa::Reshape::dst]).shape;
  const std::size_t rank = expected.size();
  if (rank < 2 || inner.size() < 2) {
    return std::nullopt;
  }
  std::vector<std::int64_t> axes = permutation_of(*exchanged, inner.size());
  exchange_last(axes);
  const bool keeps_matrices = expected[rank - 2] == inner[inner.size() - 2] &&
                              expected[rank - 1] == inner[inner.size() - 1] && is_identity(axes);
  exchange_last(expected);
  return keeps_matrices && pattern.facts(transposed).shape == expected ? std::optional(x)
                                                                       : std::nullopt;
}

Operand transpose(Graph& graph, const Operand& x, const std::vector<std::int64_t>& axes,
                  AddedInstructions& added) {
  semantics::TensorFacts facts = graph.values[static_cast<std::size_t>(x.number)].facts;
  const ExtentShape shape = facts.shape;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    facts.shape[i] = shape[static_cast<std::size_t>(axes[i])];
  }
  isa::Instruction row = with_defaults(Opcode::kTranspose);
  row.operands[isa::Transpose::x] = x;
  row.operands[isa::Transpose::perm] = isa::numbers(axes);
  return added.add(graph, std::move(row), facts);
}

}  // namespace

Operand transpose_keys_back(Graph& graph, Pattern& pattern, const Operand& transposed,
                            AddedInstructions& added) {
  const std::size_t mark = pattern.mark();
  if (const auto x = behind_joined_axes(pattern, transposed)) {
    return *x;
  }
  pattern.rewind(mark);
  std::vector<std::int64_t> axes(pattern.facts(transposed).shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  Operand x = transposed;
  if (const auto* row = pattern.find(transposed, Opcode::kTranspose)) {
    axes = permutation_of(*row, axes.size());
    x = row->operands[isa::Transpose::x];
  }
  exchange_last(axes);
  return is_identity(axes) ? x : transpose(graph, x, axes, added);
}

}  // namespace pliant::plan
