#pragma once

#include <pliant/result.h>

#include "interp/frame.h"

namespace pliant::interp {

/// The error of a failed instruction with its place and, after the message, the element types and
/// shapes of its tensor operands: "MATMUL: …; lhs is f32[2, 64], rhs is f32[32, 8]".
[[nodiscard]] Error at_instruction(Error error, const Run& run, std::size_t instruction);

}  // namespace pliant::interp
