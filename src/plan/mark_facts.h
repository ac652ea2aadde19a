#pragma once

#include "plan/graph.h"

namespace pliant::plan {

/// Marks the entries for which 0, 1 and "2 or more" are different questions: those that an extent
/// asks when it is what two others broadcast to. A box in which such an entry is 1, or is not, says
/// which operand is repeated and which broadcasts are none; other entries only say how large things
/// are, which no step depends on.
void mark_facts(Graph& graph);

}  // namespace pliant::plan
