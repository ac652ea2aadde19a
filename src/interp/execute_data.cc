#include <algorithm>

#include "interp/frame.h"
#include "interp/handlers.h"
#include "interp/materialise.h"

namespace pliant::interp {
namespace {

/// Outputs belong to the caller, who may write to them: an output's memory is its own, row-major
/// and from the pool. Anything else (a constant, an input passed through, what another output has)
/// is copied, and so is a small part of a large tensor, which would keep all of it alive.
bool can_be_handed_out(const Run& run, const StoredTensor& value, std::size_t output) {
  const auto same_storage = [&](const StoredTensor& other) {
    return other.storage == value.storage;
  };
  if (value.storage == nullptr || value.storage->is_constant()) {
    return false;
  }
  const std::size_t bytes =
      static_cast<std::size_t>(value.view.element_count()) * byte_size(value.view.dtype);
  if (!value.view.is_contiguous() || value.view.data != value.storage->data() ||
      bytes < value.storage->byte_size() / 2) {
    return false;
  }
  const auto& outputs = run.frame.outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (i != output && same_storage(outputs[i])) {
      return false;
    }
  }
  return std::none_of(run.frame.inputs.begin(), run.frame.inputs.end(), same_storage);
}

}  // namespace

template <>
Status execute_data<isa::LoadTensor>(Run& run, const Step& step) {
  const TensorTarget& target = run.program.targets(step)[0];
  if (target.index < 0) {
    return {};
  }
  const auto input =
      static_cast<std::size_t>(step.instruction->operands[isa::LoadTensor::input].number);
  TensorRegister& entry = run.frame.tensor(target.index);
  entry.value = run.frame.inputs[input];
  entry.fixed = entry.value.is_constant();  // the default of an input that was left out
  return {};
}

template <>
Status execute_data<isa::StoreTensor>(Run& run, const Step& step) {
  const auto output =
      static_cast<std::size_t>(step.instruction->operands[isa::StoreTensor::output].number);
  PLIANT_ASSIGN_OR_RETURN(TensorRegister x, tensor_value(run, run.program.sources(step)[0]));
  if (!can_be_handed_out(run, x.value, output)) {
    PLIANT_ASSIGN_OR_RETURN(x.value, copy_to_row_major(run, x.value.view));
  }
  run.frame.outputs[output] = std::move(x.value);
  return {};
}

template <>
Status execute_data<isa::MoveReg>(Run& run, const Step& step) {
  const TensorTarget& target = run.program.targets(step)[0];
  if (target.index < 0) {
    return {};
  }
  const auto index = static_cast<std::size_t>(target.index);
  if (run.program.program().registers[index].kind == RegisterKind::kSize) {
    const auto value = run.frame.inference(*step.instruction).integer_value(isa::MoveReg::x);
    if (!value) {
      return make_error(ErrorCode::kShapeMismatch, "MOVE_REG: operand x must have one element");
    }
    run.frame.sizes[index] = value->number();
    return {};
  }
  PLIANT_ASSIGN_OR_RETURN(run.frame.tensors[index],
                          tensor_value(run, run.program.sources(step)[0]));
  return {};
}

template <>
Status execute_data<isa::LoadConst>(Run& run, const Step& step) {
  const TensorTarget& target = run.program.targets(step)[0];
  if (target.index >= 0) {
    const auto constant = step.instruction->operands[isa::LoadConst::constant].number;
    run.frame.tensor(target.index) = {run.program.constant(static_cast<int>(constant)), true};
  }
  return {};
}

}  // namespace pliant::interp
