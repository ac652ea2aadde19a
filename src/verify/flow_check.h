#pragma once

#include <pliant/result.h>

#include "base/function_ref.h"
#include "program/program.h"
#include "verify/control_flow.h"
#include "verify/slots.h"

namespace pliant::verify {

/// Receives an error and the instruction it is about.
using Report = FunctionRef<void(std::size_t instruction, Error error)>;

/// Follows the program along all paths until nothing new is learnt, then reports what is wrong:
/// registers and loops that may not have been set when they are used, outputs that may not have been
/// stored, element types, shapes. Fills in the element types of the registers.
///
/// Where paths meet, shapes of one rank keep the extents that agree; others become unknown. Each
/// block is visited a bounded number of times. Structure and loops must have been checked.
/// Errors that concern no instruction (a limit) are returned.
[[nodiscard]] Status check_flow(Program& program, const ControlFlow& flow, const Slots& slots,
                                Report report);

}  // namespace pliant::verify
