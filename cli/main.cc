#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.h"

namespace {

/// What is wrong with the command line.
std::string explain(const CLI::App* app, const CLI::Error& error) {
  const std::vector<std::string> unknown = app->remaining();
  const bool wrong_command = app->get_subcommands().empty() && !unknown.empty();
  return fmt::format("error: {}\nRun with --help for more information.\n",
                     wrong_command ? "there is no command " + unknown.front() : error.what());
}

}  // namespace

int main(int argc, char** argv) {
  using pliant::cli::ExitCode;
  ExitCode exit_code = ExitCode::kSuccess;
  try {
    CLI::App app(
        "Pliant runs tensor programs whose shapes vary.\n\n"
        "Models are ONNX files (.onnx), Pliant assembly (.pasm) or Pliant bytecode (.pbc).",
        "pliant");
    app.footer(
        "Examples:\n"
        "  pliant run model.onnx --random batch=2,seq=128\n"
        "  pliant run model.onnx --input ids=ids.npy --output results\n"
        "  pliant import model.onnx -o model.pbc\n"
        "  pliant bench model.pbc --random batch=1 --sizes seq=16,32,64 --runs 200\n"
        "  pliant explain model.pbc --random batch=1,seq=128\n\n"
        "`pliant COMMAND --help` says more about a command.\n"
        "Exit codes: 0 done, 1 something given is wrong, 2 a bug in Pliant.");
    app.require_subcommand(1);
    app.failure_message(explain);
    pliant::cli::add_run_command(app, exit_code);
    pliant::cli::add_bench_command(app, exit_code);
    pliant::cli::add_explain_command(app, exit_code);
    pliant::cli::add_profile_command(app, exit_code);
    pliant::cli::add_import_command(app, exit_code);
    pliant::cli::add_asm_command(app, exit_code);
    pliant::cli::add_disasm_command(app, exit_code);
    pliant::cli::add_verify_command(app, exit_code);
    pliant::cli::add_version_command(app, exit_code);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      // CLI11 has codes of its own; for our users a wrong command line is a user error.
      exit_code = app.exit(error) == 0 ? ExitCode::kSuccess : ExitCode::kUserError;
    }
    // A full disk shows itself only when the buffer is written.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      fmt::print(stderr, "error: cannot write to the standard output\n");
      exit_code = ExitCode::kUserError;
    }
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: the system has no more memory\n");
    return static_cast<int>(ExitCode::kUserError);
  } catch (const std::system_error& error) {  // the system refuses: no bug, nor a wrong model
    fmt::print(stderr, "error: {}\n", error.what());
    return static_cast<int>(ExitCode::kUserError);
  } catch (const std::exception& error) {
    fmt::print(stderr, "internal error: {}\n", error.what());
    return static_cast<int>(ExitCode::kInternal);
  }
  return static_cast<int>(exit_code);
}
