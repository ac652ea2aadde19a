#include "interp/frame.h"
#include "interp/handlers.h"
#include "interp/materialise.h"
#include "tensor/element_values.h"

namespace pliant::interp {
namespace {

bool holds(isa::Comparison comparison, std::int64_t lhs, std::int64_t rhs) {
  switch (comparison) {
    case isa::Comparison::kEqual:
      return lhs == rhs;
    case isa::Comparison::kNotEqual:
      return lhs != rhs;
    case isa::Comparison::kLess:
      return lhs < rhs;
    case isa::Comparison::kLessOrEqual:
      return lhs <= rhs;
    case isa::Comparison::kGreater:
      return lhs > rhs;
    case isa::Comparison::kGreaterOrEqual:
      return lhs >= rhs;
  }
  __builtin_unreachable();
}

void jump(Run& run, const Step& step) {
  run.next = static_cast<std::size_t>(step.target);
}

/// The value of a Size operand, which may be an integer tensor of one element.
Result<std::int64_t> size_value(Run& run, const Step& step, int operand) {
  const auto value = run.frame.inference(*step.instruction).size(operand);
  if (!value) {
    return make_error(
        ErrorCode::kShapeMismatch, "{}: operand {} must have one element",
        isa::info(step.instruction->opcode).mnemonic,
        isa::info(step.instruction->opcode).operands[static_cast<std::size_t>(operand)].field);
  }
  return value->number();
}

}  // namespace

template <>
Status execute_control<isa::BranchOnShape>(Run& run, const Step& step) {
  using Row = isa::BranchOnShape;
  PLIANT_ASSIGN_OR_RETURN(const std::int64_t lhs, size_value(run, step, Row::lhs));
  PLIANT_ASSIGN_OR_RETURN(const std::int64_t rhs, size_value(run, step, Row::rhs));
  const auto comparison =
      static_cast<isa::Comparison>(step.instruction->operands[Row::comparison].number);
  if (holds(comparison, lhs, rhs)) {
    jump(run, step);
  }
  return {};
}

template <>
Status execute_control<isa::BranchIf>(Run& run, const Step& step) {
  PLIANT_RETURN_IF_ERROR(run.frame.inference(*step.instruction).infer());
  PLIANT_ASSIGN_OR_RETURN(const TensorRegister condition,
                          tensor_value(run, run.program.sources(step)[0]));
  bool value = false;
  for_each_integer(condition.value.view, [&](std::int64_t element) { value = element != 0; });
  if (value) {
    jump(run, step);
  }
  return {};
}

template <>
Status execute_control<isa::Jump>(Run& run, const Step& step) {
  jump(run, step);
  return {};
}

template <>
Status execute_control<isa::LoopBegin>(Run& run, const Step& step) {
  using Row = isa::LoopBegin;
  PLIANT_ASSIGN_OR_RETURN(const std::int64_t trip_count, size_value(run, step, Row::trip_count));
  run.frame.loops[static_cast<std::size_t>(step.loop)] = {0, trip_count};
  const auto iteration =
      static_cast<std::size_t>(step.instruction->operands[Row::iteration].number);
  run.frame.sizes[iteration] = 0;
  if (trip_count <= 0) {
    jump(run, step);
  }
  return {};
}

template <>
Status execute_control<isa::LoopEnd>(Run& run, const Step& step) {
  LoopState& loop = run.frame.loops[static_cast<std::size_t>(step.loop)];
  ++loop.iteration;
  const isa::Instruction& begin =
      *run.program.steps()[static_cast<std::size_t>(step.target - 1)].instruction;
  const auto iteration = static_cast<std::size_t>(begin.operands[isa::LoopBegin::iteration].number);
  run.frame.sizes[iteration] = loop.iteration;
  if (loop.iteration < loop.trip_count) {
    jump(run, step);
  }
  return {};
}

template <>
Status execute_control<isa::Halt>(Run& run, const Step&) {
  run.next = run.program.steps().size();
  return {};
}

}  // namespace pliant::interp
