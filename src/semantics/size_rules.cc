#include <fmt/format.h>

#include <algorithm>

#include "semantics/rules.h"
#include "semantics/shape_lists.h"

namespace pliant::semantics {
namespace {

using Operation = Extent (*)(Extent, Extent);

struct SizeOperation {
  isa::Opcode opcode;
  Operation operation;
  bool divides;
};

constexpr SizeOperation kSizeOperations[] = {
    {isa::Opcode::kSizeAdd, [](Extent a, Extent b) { return a + b; }, false},
    {isa::Opcode::kSizeSubtract, [](Extent a, Extent b) { return a - b; }, false},
    {isa::Opcode::kSizeMultiply, [](Extent a, Extent b) { return a * b; }, false},
    {isa::Opcode::kSizeDivide, [](Extent a, Extent b) { return floor_divide(a, b); }, true},
    {isa::Opcode::kSizeModulo, [](Extent a, Extent b) { return modulo(a, b); }, true},
    {isa::Opcode::kSizeMinimum, [](Extent a, Extent b) { return minimum(a, b); }, false},
    {isa::Opcode::kSizeMaximum, [](Extent a, Extent b) { return maximum(a, b); }, false},
};

std::int64_t clamped_axis(std::int64_t axis, std::int64_t rank) {
  return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
}

}  // namespace

Status infer_QueryShape(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::QueryShape::x);
  if (!x.rank_known) {
    return context.set_size(isa::QueryShape::dst, context.unknown_extent());
  }
  PLIANT_ASSIGN_OR_RETURN(
      const int axis,
      context.normalise_axis(context.operand(isa::QueryShape::x).detail, x.shape.size()));
  return context.set_size(isa::QueryShape::dst, x.shape[static_cast<std::size_t>(axis)]);
}

Status infer_ReadSize(InferenceContext& context) {
  const std::int64_t element = context.operand(isa::ReadSize::x).detail;
  const TensorFacts& x = context.tensor(isa::ReadSize::x);
  const Extent count = x.rank_known ? product(x.shape) : context.unknown_extent();
  if (element < 0 || (count.is_number() && element >= count.number())) {
    return context.error(
        fmt::format("element {} is outside a tensor of {} elements", element, to_string(count)));
  }
  const auto elements = context.elements(isa::ReadSize::x);
  if (!elements || element >= static_cast<std::int64_t>(elements->size())) {
    return context.set_size(isa::ReadSize::dst, context.unknown_extent());
  }
  return context.set_size(isa::ReadSize::dst, (*elements)[static_cast<std::size_t>(element)]);
}

Status infer_SizeArithmetic(InferenceContext& context) {
  const SizeOperation& row = *std::find_if(
      std::begin(kSizeOperations), std::end(kSizeOperations),
      [&](const SizeOperation& operation) { return operation.opcode == context.row().opcode; });
  const auto lhs = context.size(isa::SizeAdd::lhs);
  const auto rhs = context.size(isa::SizeAdd::rhs);
  if (row.divides && rhs && rhs->is(0)) {
    return context.error("division by zero");
  }
  if (!lhs || !rhs) {
    return context.set_size(isa::SizeAdd::dst, context.unknown_extent());
  }
  return context.set_size(isa::SizeAdd::dst, row.operation(*lhs, *rhs));
}

Status infer_ShapeOf(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::ShapeOf::x);
  if (!x.rank_known) {
    context.set_rank(isa::ShapeOf::dst, 1);
    return {};
  }
  const auto rank = static_cast<std::int64_t>(x.shape.size());
  const std::int64_t start = clamped_axis(context.integer(isa::ShapeOf::start), rank);
  const std::int64_t end = context.given(isa::ShapeOf::end)
                               ? clamped_axis(context.integer(isa::ShapeOf::end), rank)
                               : rank;
  return context.set(isa::ShapeOf::dst, {Extent(std::max<std::int64_t>(end - start, 0))});
}

Status infer_RankOf(InferenceContext& context) {
  return context.set(isa::RankOf::dst, {});
}

Status infer_CountOf(InferenceContext& context) {
  return context.set(isa::CountOf::dst, {});
}

}  // namespace pliant::semantics
