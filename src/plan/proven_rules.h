#pragma once

#include "plan/graph.h"

namespace pliant::plan {

/// Whether the shape rule of a captured instruction has nothing left to say: for all sizes it would
/// give the shapes that the graph's values have. False means that runs ask it.
[[nodiscard]] bool is_proven(const Graph& graph, const isa::Instruction& instruction);

}  // namespace pliant::plan
