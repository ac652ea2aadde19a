#pragma once

#include <span>

#include <pliant/session.h>

#include "session/planned_program.h"

namespace pliant::session {

/// What a run at these sizes takes. See Session::estimate().
[[nodiscard]] Result<MemoryEstimate> estimate(PlannedProgram& planned,
                                              std::span<const NamedSize> sizes);

}  // namespace pliant::session
