#include "plan/proven_rules.h"

#include <algorithm>
#include <iterator>

#include "plan/operands.h"

namespace pliant::plan {
namespace {

using semantics::Extent;
using semantics::ExtentShape;

const ExtentShape& shape_of(const Graph& graph, int value) {
  return graph.values[static_cast<std::size_t>(value)].facts.shape;
}

bool all_numbers(const ExtentShape& shape) {
  return std::all_of(shape.begin(), shape.end(),
                     [](const Extent& extent) { return extent.is_number(); });
}

/// The rule saw numbers alone, and said what it had to say when it was captured.
bool saw_numbers(const Graph& graph, const isa::Instruction& instruction) {
  bool numbers = true;
  const auto look = [&](const isa::Operand& operand) {
    const int value = value_in(operand);
    numbers = numbers && (value < 0 || all_numbers(shape_of(graph, value)));
  };
  for_each_use(instruction, look);
  for_each_definition(instruction, look);
  for_each_extent(instruction, [&](const isa::Operand& operand) {
    numbers = numbers && graph.extents[static_cast<std::size_t>(operand.number)].is_number();
  });
  return numbers;
}

/// Each extent is the one of the result, or the number 1: nothing is left to broadcast.
bool broadcasts(const ExtentShape& from, const ExtentShape& to) {
  if (from.size() > to.size()) {
    return false;
  }
  const std::size_t missing = to.size() - from.size();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!(from[i] == to[i + missing]) && !from[i].is(1)) {
      return false;
    }
  }
  return true;
}

bool is_plain_elementwise(const Graph& graph, const isa::Instruction& instruction) {
  const int result = single_result(instruction);
  if (!has_effect(instruction, isa::kElementwise) || result < 0) {
    return false;
  }
  bool plain = true;
  for_each_use(instruction, [&](const isa::Operand& operand) {
    const int value = value_in(operand);
    plain = plain && (value < 0 || broadcasts(shape_of(graph, value), shape_of(graph, result)));
  });
  // Bounds have one element each, whatever the result is like.
  if (instruction.opcode == isa::Opcode::kElementwiseClip) {
    for (const int bound : {isa::ElementwiseClip::low, isa::ElementwiseClip::high}) {
      const int value = value_in(instruction.operands[static_cast<std::size_t>(bound)]);
      plain = plain && (value < 0 || all_numbers(shape_of(graph, value)));
    }
  }
  return plain;
}

/// Matrices whose inner extents are one, and batches that are the result's.
bool is_plain_product(const Graph& graph, const isa::Instruction& instruction) {
  using Row = isa::MatMul;
  if (instruction.opcode != isa::Opcode::kMatMul || value_in(instruction.operands[Row::dst]) < 0) {
    return false;
  }
  const int lhs = value_in(instruction.operands[Row::lhs]);
  const int rhs = value_in(instruction.operands[Row::rhs]);
  if (lhs < 0 || rhs < 0) {
    return false;
  }
  const ExtentShape& a = shape_of(graph, lhs);
  const ExtentShape& b = shape_of(graph, rhs);
  const ExtentShape& c = shape_of(graph, value_in(instruction.operands[Row::dst]));
  if (a.size() < 2 || b.size() < 2) {
    return false;
  }
  const bool transposed_a = instruction.operands[Row::transpose_lhs].number != 0;
  const bool transposed_b = instruction.operands[Row::transpose_rhs].number != 0;
  const Extent& inner_a = a[a.size() - (transposed_a ? 2 : 1)];
  const Extent& inner_b = b[b.size() - (transposed_b ? 1 : 2)];
  const auto batch = [](const ExtentShape& shape) {
    ExtentShape result;
    for (std::size_t i = 0; i + 2 < shape.size(); ++i) {
      result.push_back(shape[i]);
    }
    return result;
  };
  return inner_a == inner_b && broadcasts(batch(a), batch(c)) && broadcasts(batch(b), batch(c));
}

/// Rows whose rules look at ranks alone, or at numbers that the instruction carries.
constexpr isa::Opcode kLookAtRanks[] = {
    isa::Opcode::kTranspose, isa::Opcode::kShapeOf, isa::Opcode::kRankOf,  isa::Opcode::kCountOf,
    isa::Opcode::kUnsqueeze, isa::Opcode::kFlatten, isa::Opcode::kSoftmax, isa::Opcode::kLogSoftmax,
};

}  // namespace

bool is_proven(const Graph& graph, const isa::Instruction& instruction) {
  return std::find(std::begin(kLookAtRanks), std::end(kLookAtRanks), instruction.opcode) !=
             std::end(kLookAtRanks) ||
         saw_numbers(graph, instruction) || is_plain_elementwise(graph, instruction) ||
         is_plain_product(graph, instruction);
}

}  // namespace pliant::plan
