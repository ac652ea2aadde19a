#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <pliant/session.h>

#include "session/planned_program.h"

namespace pliant::session {

/// What a profile calls a program: the same for the same instructions and declarations, whatever the
/// weights.
[[nodiscard]] std::string program_fingerprint(const Program& program);

/// Compiles the heaviest boxes of a profile on this thread. See Session::warm_up().
[[nodiscard]] Status warm_up(PlannedProgram& planned, std::string_view profile,
                             const std::function<bool()>& should_stop);

/// Compiles the plan for one signature on this thread. See Session::warm_up_exact().
[[nodiscard]] Status warm_up_exact(PlannedProgram& planned, std::span<const NamedSize> sizes);

}  // namespace pliant::session
