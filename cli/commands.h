#pragma once

#include <CLI/CLI.hpp>

namespace pliant::cli {

/// What the process ends with.
enum class ExitCode : int {
  kSuccess = 0,
  kUserError = 1,  ///< a model, file, name, shape or option is wrong
  kInternal = 2,   ///< a bug in Pliant
};

/// Each adds one subcommand with its options and help. When the command line names it, it runs
/// during parsing and sets `exit_code`.
void add_import_command(CLI::App& app, ExitCode& exit_code);
void add_run_command(CLI::App& app, ExitCode& exit_code);
void add_bench_command(CLI::App& app, ExitCode& exit_code);
void add_explain_command(CLI::App& app, ExitCode& exit_code);
void add_profile_command(CLI::App& app, ExitCode& exit_code);
void add_asm_command(CLI::App& app, ExitCode& exit_code);
void add_disasm_command(CLI::App& app, ExitCode& exit_code);
void add_verify_command(CLI::App& app, ExitCode& exit_code);
void add_version_command(CLI::App& app, ExitCode& exit_code);

}  // namespace pliant::cli
