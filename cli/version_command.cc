#include <fmt/format.h>

#include <pliant/session.h>

#include "cli/commands.h"

namespace pliant::cli {

void add_version_command(CLI::App& app, ExitCode& exit_code) {
  static_cast<void>(exit_code);
  CLI::App* const command = app.add_subcommand("version", "Print the version.");
  command->footer("Example:\n  pliant version");
  command->callback([] { fmt::print("pliant {}\n", version()); });
}

}  // namespace pliant::cli
