#pragma once

#include <pliant/result.h>

#include "program/diagnostics.h"
#include "program/program.h"

namespace pliant::verify {

/// Checks a program by every rule of the instruction set and fills in the registers' element types.
///
/// Checked: structure (operand forms, indices, counts, labels, loops), one kind and one element
/// type per register, registers defined before use on every path, outputs stored on every path to
/// the end, element types, and shapes as far as they follow from the declarations. Time and memory
/// grow about linearly with the program.
///
/// Errors: kVerification, kShapeMismatch, kResourceExhausted; each names the place
/// (Program::describe). All errors found go to `diagnostics`, if given; the first is returned.
[[nodiscard]] Result<VerifiedProgram> verify(Program program, Diagnostics* diagnostics = nullptr);

}  // namespace pliant::verify
