#include "bind/elementwise_function.h"

#include <array>

#include "bind/operator.h"
#include "isa/info.h"
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

const isa::Operand& operand_of(const isa::Instruction& instruction, int operand) {
  return instruction.operands[static_cast<std::size_t>(operand)];
}

ElementwiseFunction function_of(const isa::Instruction& instruction,
                                std::span<const DType> inputs) {
  for (const Variant& row : kVariants) {
    if (row.opcode == instruction.opcode &&
        operand_of(instruction, row.operand).number == row.choice) {
      return row.function;
    }
  }
  if (instruction.opcode == isa::Opcode::kElementwisePower && !is_float(inputs[0]) &&
      is_float(inputs[1])) {
    return ElementwiseFunction::kPowerOfReal;
  }
  return function_of_row(instruction.opcode);
}

ElementwiseLoop conversion_loop(DType from, DType to, CpuLevel level) {
  ElementwiseLoop loop;
  loop.run = kernels::find_conversion(from, to, level);
  loop.input_count = 1;
  loop.inputs[0] = from;
  loop.result = to;
  return loop;
}

/// A bound that is absent leaves MIN or MAX alone, or nothing but a copy.
ElementwiseLoop clip_loop(const isa::Instruction& instruction, std::span<const DType> inputs,
                          CpuLevel level) {
  const DType dtype = inputs[0];
  if (inputs.size() == 1) {
    return conversion_loop(dtype, dtype, level);
  }
  const bool has_low = operand_of(instruction, isa::ElementwiseClip::low).given();
  const ElementwiseFunction function = inputs.size() == 3 ? ElementwiseFunction::kClip
                                       : has_low          ? ElementwiseFunction::kMaximum
                                                          : ElementwiseFunction::kMinimum;
  return find_elementwise_loop(function, dtype, level);
}

ElementwiseLoop loop_of(const isa::Instruction& instruction, std::span<const DType> inputs,
                        DType result, CpuLevel level) {
  if (instruction.opcode == isa::Opcode::kCast) {
    return conversion_loop(inputs[0], result, level);
  }
  if (instruction.opcode == isa::Opcode::kElementwiseClip) {
    return clip_loop(instruction, inputs, level);
  }
  // SELECT's first operand is the condition.
  const DType dtype = inputs.size() == 3 ? inputs[2] : inputs[0];
  return find_elementwise_loop(function_of(instruction, inputs), dtype, level);
}

DType result_of(const isa::Instruction& instruction, std::span<const DType> inputs) {
  if (instruction.opcode == isa::Opcode::kCast) {
    return static_cast<DType>(operand_of(instruction, isa::Cast::to).number);
  }
  if (isa::info(instruction.opcode).operands[0].constraint == isa::TypeConstraint::kBool) {
    return DType::kBool;
  }
  return instruction.opcode == isa::Opcode::kElementwiseSelect ? inputs[1] : inputs[0];
}

}  // namespace

bool is_elementwise(isa::Opcode opcode) {
  const Operator* const row = &operator_of(opcode);
  return row == &kElementwise || row == &kCast;
}

ElementwiseChoice choose_elementwise(const isa::Instruction& instruction,
                                     std::span<const DType> inputs, CpuLevel level) {
  ElementwiseChoice choice;
  choice.result = result_of(instruction, inputs);
  choice.loop = loop_of(instruction, inputs, choice.result, level);
  // Rows with attributes have one or two reals, alpha first.
  double* const attributes[] = {&choice.alpha, &choice.beta};
  int given = 0;
  const std::span<const isa::OperandInfo> row = isa::info(instruction.opcode).operands;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i].kind == isa::OperandKind::kReal) {
      *attributes[given++] = instruction.operands[i].real;
    }
  }
  return choice;
}

}  // namespace pliant::bind
