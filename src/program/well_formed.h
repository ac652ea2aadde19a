#pragma once

#include <cstddef>

#include <pliant/result.h>

#include "program/program.h"

namespace pliant {

/// Checks the declarations: names unique and not too long, indices in range, counts within
/// program/limits.h, constants row-major with a shape whose elements their storage holds.
[[nodiscard]] Status check_declarations(const Program& program);

/// Checks one instruction by its row: as many operands as the row has, each in a form that its kind
/// allows, indices, choices, types and labels in range, registers of the kind that the operand
/// needs, no register that receives two results. Errors are kVerification and have no place yet.
[[nodiscard]] Status check_instruction(const Program& program, std::size_t instruction);

}  // namespace pliant
