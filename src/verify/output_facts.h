#pragma once

#include <cstddef>

#include "program/program.h"
#include "semantics/tensor_facts.h"

namespace pliant::verify {

/// Adds to what is known of an output that a tensor with these facts is stored there. What differs
/// between the places that store it becomes unknown.
void note_stored(Program& program, std::size_t output, const semantics::TensorFacts& facts);

}  // namespace pliant::verify
