#pragma once

#include <CLI/CLI.hpp>

#include <pliant/session.h>

namespace pliant::cli {

/// How the session of a command runs.
struct SessionArguments {
  SessionOptions options;
  bool verbose = false;
};

/// Adds --threads, --cpu-level, --max-bytes and --verbose.
void add_session_options(CLI::App& command, SessionArguments& arguments);

/// Loads a model for running as the arguments say; with --verbose events go to stderr.
[[nodiscard]] Result<Session> load_session(const std::string& path,
                                           const SessionArguments& arguments);

}  // namespace pliant::cli
