#include <fmt/format.h>

#include "semantics/rules.h"

namespace pliant::semantics {
namespace {

/// Bounds are one element each and never change the shape.
Status infer_clip(InferenceContext& context) {
  for (const int bound : {static_cast<int>(isa::ElementwiseClip::low),
                          static_cast<int>(isa::ElementwiseClip::high)}) {
    if (!context.given(bound) || !context.tensor(bound).rank_known) {
      continue;
    }
    const ExtentShape& shape = context.tensor(bound).shape;
    for (const Extent& extent : shape) {
      if (extent.is_number() && !extent.is(1)) {
        return context.error(
            fmt::format("a bound must have one element, not shape {}", to_string(shape)));
      }
    }
  }
  const TensorFacts& x = context.tensor(isa::ElementwiseClip::x);
  if (!x.rank_known) {
    context.set_unknown(isa::ElementwiseClip::dst);
    return {};
  }
  return context.set(isa::ElementwiseClip::dst, x.shape);
}

}  // namespace

/// All operands broadcast; the result is operand 0 of every row.
Status infer_Elementwise(InferenceContext& context) {
  if (context.instruction().opcode == isa::Opcode::kElementwiseClip) {
    return infer_clip(context);
  }
  ExtentShape shape;
  for (const TensorFacts& operand : context.all_tensors()) {
    if (!operand.rank_known) {
      context.set_unknown(0);
      return {};
    }
    PLIANT_ASSIGN_OR_RETURN(shape, context.broadcast_shapes(shape, operand.shape));
  }
  return context.set(0, shape);
}

}  // namespace pliant::semantics
