#pragma once

#include <CLI/CLI.hpp>

#include <pliant/plan_options.h>

namespace pliant::cli {

/// Adds what says which plans a session has: --tier, --floor, --compiling, --profile, … `options`
/// must stay where it is. Ranges are checked when the session is made.
void add_plan_options(CLI::App& command, PlanOptions& options);

}  // namespace pliant::cli
