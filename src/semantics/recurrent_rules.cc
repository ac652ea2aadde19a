#include <fmt/format.h>

#include <array>
#include <string_view>

#include "semantics/rules.h"

namespace pliant::semantics {
namespace {

/// Where a recurrent row has its operands, and how many gates and activations it has.
struct RecurrentRow {
  isa::Opcode opcode;
  std::int64_t gates;
  std::size_t functions;
  std::array<int, 3> states;  // results [directions, batch, hidden]; -1: none
  int x, weights, recurrence, bias, lengths, initial_h;
  int initial_c, peephole;  // -1: none
  int direction, activations;
};

template <class Row>
constexpr RecurrentRow row_with(std::int64_t gates, std::size_t functions, int cell, int initial_c,
                                int peephole) {
  return {Row::kOpcode, gates,           functions,      {Row::y_h, cell, -1}, Row::x,
          Row::weights, Row::recurrence, Row::bias,      Row::lengths,         Row::initial_h,
          initial_c,    peephole,        Row::direction, Row::activations};
}

constexpr std::array<RecurrentRow, 3> kRows{
    row_with<isa::Lstm>(4, 3, isa::Lstm::y_c, isa::Lstm::initial_c, isa::Lstm::peephole),
    row_with<isa::Gru>(3, 2, -1, -1, -1), row_with<isa::Rnn>(1, 1, -1, -1, -1)};

/// Error unless an optional operand has the shape, as far as both are known.
Status require_shape(InferenceContext& context, int operand, std::string_view name,
                     const ExtentShape& expected) {
  if (operand < 0 || !context.given(operand) || !context.tensor(operand).rank_known) {
    return {};
  }
  const ExtentShape& shape = context.tensor(operand).shape;
  if (shape.size() != expected.size()) {
    return context.error(
        fmt::format("{} has rank {}, expected {}", name, shape.size(), expected.size()));
  }
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    PLIANT_RETURN_IF_ERROR(context.require_equal(shape[axis], expected[axis],
                                                 fmt::format("{} axis {}", name, axis),
                                                 "the extent it must have"));
  }
  return {};
}

}  // namespace

Status infer_Recurrent(InferenceContext& context) {
  std::size_t found = 0;
  while (kRows[found].opcode != context.instruction().opcode) {
    ++found;
  }
  const RecurrentRow& row = kRows[found];
  const bool both = context.choice<isa::Direction>(row.direction) == isa::Direction::kBoth;
  const Extent directions(both ? 2 : 1);
  const std::size_t activations = context.operand(row.activations).list.size();
  const std::size_t functions = row.functions * (both ? 2 : 1);
  if (activations != 0 && activations != functions) {
    return context.error(
        fmt::format("activations has {} words, expected {}", activations, functions));
  }
  const TensorFacts& x = context.tensor(row.x);
  const TensorFacts& recurrence = context.tensor(row.recurrence);
  if (x.rank_known && x.shape.size() != 3) {
    return context.error(fmt::format("x has rank {}, expected 3", x.shape.size()));
  }
  if (recurrence.rank_known && recurrence.shape.size() != 3) {
    return context.error(
        fmt::format("recurrence has rank {}, expected 3", recurrence.shape.size()));
  }
  const auto extent_of = [&](const TensorFacts& facts, std::size_t axis) {
    return facts.rank_known ? facts.shape[axis] : context.unknown_extent();
  };
  const Extent steps = extent_of(x, 0);
  const Extent batch = extent_of(x, 1);
  const Extent inputs = extent_of(x, 2);
  const Extent hidden = extent_of(recurrence, 2);
  const Extent rows = hidden * Extent(row.gates);
  PLIANT_RETURN_IF_ERROR(
      require_shape(context, row.recurrence, "recurrence", {directions, rows, hidden}));
  PLIANT_RETURN_IF_ERROR(
      require_shape(context, row.weights, "weights", {directions, rows, inputs}));
  PLIANT_RETURN_IF_ERROR(require_shape(context, row.bias, "bias", {directions, rows * Extent(2)}));
  PLIANT_RETURN_IF_ERROR(require_shape(context, row.lengths, "lengths", {batch}));
  const ExtentShape state{directions, batch, hidden};
  PLIANT_RETURN_IF_ERROR(require_shape(context, row.initial_h, "initial_h", state));
  PLIANT_RETURN_IF_ERROR(require_shape(context, row.initial_c, "initial_c", state));
  PLIANT_RETURN_IF_ERROR(
      require_shape(context, row.peephole, "peephole", {directions, hidden * Extent(3)}));
  PLIANT_RETURN_IF_ERROR(context.set(isa::Lstm::y, {steps, directions, batch, hidden}));
  for (const int result : row.states) {
    if (result >= 0) {
      PLIANT_RETURN_IF_ERROR(context.set(result, state));
    }
  }
  return {};
}

static_assert(int{isa::Lstm::y} == int{isa::Gru::y} && int{isa::Lstm::y} == int{isa::Rnn::y});

}  // namespace pliant::semantics
