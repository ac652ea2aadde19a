#pragma once

#include <span>

#include "isa/operand.h"
#include "kernels/elementwise/elementwise.h"

namespace pliant::bind {

/// What one elementwise instruction computes.
struct ElementwiseChoice {
  kernels::ElementwiseLoop loop;  ///< without `run` if the row has none for these types
  DType result = DType::kF32;     ///< element type of the instruction's result
  double alpha = 0;
  double beta = 0;
};

/// Whether choose_elementwise() knows the row: ELEMENTWISE_… and CAST.
[[nodiscard]] bool is_elementwise(isa::Opcode opcode);

/// The function of an elementwise instruction whose given tensor inputs have these types, in the
/// row's order. The loop takes one input for each of them.
[[nodiscard]] ElementwiseChoice choose_elementwise(const isa::Instruction& instruction,
                                                   std::span<const DType> inputs, CpuLevel level);

}  // namespace pliant::bind
