#include <fmt/format.h>

#include "semantics/rules.h"
#include "semantics/shape_lists.h"

namespace pliant::semantics {
namespace {

/// A result that is its operand: same type, same shape.
Status set_same(InferenceContext& context, int result, const TensorFacts& facts) {
  context.set_type(result, facts.dtype);
  if (!facts.rank_known) {
    context.set_unknown(result);
    return {};
  }
  return context.set(result, facts.shape);
}

}  // namespace

Status infer_LoadTensor(InferenceContext& context) {
  return set_same(context, isa::LoadTensor::dst, context.tensor(isa::LoadTensor::input));
}

Status infer_LoadConst(InferenceContext& context) {
  return set_same(context, isa::LoadConst::dst, context.tensor(isa::LoadConst::constant));
}

Status infer_StoreTensor(InferenceContext&) {
  return {};
}

/// Whether x is a size or a 0-d i64 tensor, both results are given: the caller takes the one that
/// the kind of the destination register asks for.
Status infer_MoveReg(InferenceContext& context) {
  const TensorFacts& facts = context.tensor(isa::MoveReg::x);
  PLIANT_RETURN_IF_ERROR(set_same(context, isa::MoveReg::dst, facts));
  if (facts.dtype != DType::kI64 || !facts.rank_known || !facts.shape.empty()) {
    return {};
  }
  const auto value = context.size(isa::MoveReg::x);
  return context.set_size(isa::MoveReg::dst, value ? *value : context.unknown_extent());
}

Status infer_BranchIf(InferenceContext& context) {
  return require_one_element(context, isa::BranchIf::condition, "condition");
}

/// The iteration is any number below the trip count; an interpreter counts itself.
Status infer_LoopBegin(InferenceContext& context) {
  return context.set_size(isa::LoopBegin::iteration, context.unknown_extent());
}

}  // namespace pliant::semantics
