#include "kernels/elementwise/elementwise.h"

#include <array>

#include "bind/operator.h"
#include "bind/result_strides.h"
#include "tensor/dtype.h"

namespace pliant::bind {
namespace {

using kernels::ElementwiseFunction;
using kernels::ElementwiseLoop;

/// The function of each row, by the row's name.
ElementwiseFunction function_of_row(isa::Opcode opcode) {
  static const auto kFunctions = [] {
    std::array<ElementwiseFunction, static_cast<std::size_t>(isa::kOpcodeCount)> table{};
#define ELEMENTWISE_FUNCTION(Name, Types)                                         \
  table[static_cast<std::size_t>(isa::row_of(isa::Opcode::kElementwise##Name))] = \
      ElementwiseFunction::k##Name;
#define ELEMENTWISE_VARIANT(...)
#include "kernels/elementwise/functions.inc"
    return table;
  }();
  return kFunctions[static_cast<std::size_t>(isa::row_of(opcode))];
}

/// Rows whose function depends on a choice.
struct Variant {
  isa::Opcode opcode;
  int operand;
  std::int64_t choice;
  ElementwiseFunction function;
};
template <class Set>
constexpr Variant variant(isa::Opcode opcode, int operand, Set choice,
                          ElementwiseFunction function) {
  return {opcode, operand, static_cast<std::int64_t>(choice), function};
}
constexpr Variant kVariants[] = {
    variant(isa::Opcode::kElementwiseGelu, isa::ElementwiseGelu::form, isa::GeluForm::kTanh,
            ElementwiseFunction::kGeluTanh),
    variant(isa::Opcode::kElementwiseModulo, isa::ElementwiseModulo::sign,
            isa::Modulus::kFollowsDividend, ElementwiseFunction::kRemainder),
    variant(isa::Opcode::kElementwiseIsInf, isa::ElementwiseIsInf::sign, isa::Infinity::kPositive,
            ElementwiseFunction::kIsPositiveInfinity),
    variant(isa::Opcode::kElementwiseIsInf, isa::ElementwiseIsInf::sign, isa::Infinity::kNegative,
            ElementwiseFunction::kIsNegativeInfinity),
    variant(isa::Opcode::kElementwiseIsInf, isa::ElementwiseIsInf::sign, isa::Infinity::kNeither,
            ElementwiseFunction::kIsNeitherInfinity),
};

ElementwiseFunction function_of(const BindContext& context) {
  for (const Variant& row : kVariants) {
    if (row.opcode == context.opcode() && context.operand(row.operand).number == row.choice) {
      return row.function;
    }
  }
  if (context.opcode() == isa::Opcode::kElementwisePower &&
      !is_float(context.input(isa::ElementwisePower::lhs).dtype) &&
      is_float(context.input(isa::ElementwisePower::rhs).dtype)) {
    return ElementwiseFunction::kPowerOfReal;
  }
  return function_of_row(context.opcode());
}

ElementwiseLoop conversion_loop(DType from, DType to, CpuLevel level) {
  ElementwiseLoop loop;
  loop.run = kernels::find_conversion(from, to, level);
  loop.input_count = 1;
  loop.inputs[0] = from;
  loop.result = to;
  return loop;
}

/// Binds a loop over inputs that broadcast to the result.
void bind_loop(BindContext& context, const ElementwiseLoop& loop, const TensorView* inputs) {
  const TensorView& result = context.output(0);
  TensorView views[kernels::kMaxElementwiseInputs];
  for (int i = 0; i < loop.input_count; ++i) {
    views[i] = broadcast_view(inputs[i], result.shape);
  }
  kernels::ElementwiseArguments arguments = make_elementwise(loop, views, result, context.level());
  // Rows with attributes have one or two reals, alpha first.
  double* const attributes[] = {&arguments.alpha, &arguments.beta};
  int given = 0;
  const std::span<const isa::OperandInfo> row = isa::info(context.opcode()).operands;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i].kind == isa::OperandKind::kReal) {
      *attributes[given++] = context.real(static_cast<int>(i));
    }
  }
  context.call.set(&kernels::elementwise, arguments);
}

/// A bound that is absent leaves MIN or MAX alone, or nothing but a copy.
void bind_clip(BindContext& context) {
  using Row = isa::ElementwiseClip;
  TensorView inputs[kernels::kMaxElementwiseInputs] = {context.input(Row::x)};
  int count = 1;
  for (const int bound : {static_cast<int>(Row::low), static_cast<int>(Row::high)}) {
    if (context.given(bound)) {
      inputs[count] = context.input(bound);
      inputs[count].shape.clear();  // one element, whatever its rank
      inputs[count++].strides.clear();
    }
  }
  const DType dtype = inputs[0].dtype;
  if (count == 1) {
    bind_loop(context, conversion_loop(dtype, dtype, context.level()), inputs);
    return;
  }
  const ElementwiseFunction function = count == 3                ? ElementwiseFunction::kClip
                                       : context.given(Row::low) ? ElementwiseFunction::kMaximum
                                                                 : ElementwiseFunction::kMinimum;
  bind_loop(context, find_elementwise_loop(function, dtype, context.level()), inputs);
}

void layout_elementwise(BindContext& context) {
  context.set_strides(0, strides_following(context.all_inputs(), context.output(0).shape));
}

void bind_elementwise(BindContext& context) {
  if (context.output(0).element_count() == 0) {
    return;
  }
  if (context.opcode() == isa::Opcode::kElementwiseClip) {
    bind_clip(context);
    return;
  }
  const std::span<const BindContext::Input> given = context.all_inputs();
  TensorView inputs[kernels::kMaxElementwiseInputs];
  for (std::size_t i = 0; i < given.size(); ++i) {
    inputs[i] = given[i].view;
  }
  // SELECT's first operand is the condition.
  const DType dtype = given.size() == 3 ? inputs[2].dtype : inputs[0].dtype;
  bind_loop(context, find_elementwise_loop(function_of(context), dtype, context.level()), inputs);
}

void bind_cast(BindContext& context) {
  if (context.output(0).element_count() == 0) {
    return;
  }
  const TensorView& x = context.input(isa::Cast::x);
  bind_loop(context, conversion_loop(x.dtype, context.output(0).dtype, context.level()), &x);
}

}  // namespace

const Operator kElementwise{.layout = layout_elementwise, .bind = bind_elementwise};
const Operator kCast{.layout = layout_elementwise, .bind = bind_cast};

}  // namespace pliant::bind
