#pragma once

#include "plan/added_instructions.h"
#include "plan/graph.h"
#include "plan/pattern.h"

namespace pliant::plan {

/// A tensor with its last two axes exchanged, without moving anything: what it was before it was
/// transposed, if it was, or a transposed view that is added.
[[nodiscard]] isa::Operand transpose_keys_back(Graph& graph, Pattern& pattern,
                                               const isa::Operand& transposed,
                                               AddedInstructions& added);

}  // namespace pliant::plan
