#pragma once

#include "program/program.h"

namespace pliant::text {

/// Finds the kind of every register from the instructions that write it, and makes a size register
/// that stands alone for a list of sizes a list of one. Needs the whole program: a register may be
/// read, further up, before the instruction that shows its kind.
void settle_registers(Program& program);

}  // namespace pliant::text
