#include "cli/session_arguments.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/whole_number.h"

namespace pliant::cli {
namespace {

void print_event(const LogEvent& event) {
  std::string text = event.kind + ":";
  const char* separator = " ";
  for (const auto& [name, value] : event.fields) {
    if (!value.empty()) {
      text += fmt::format("{}{} {}", separator, name, value);
      separator = ", ";
    }
  }
  fmt::print(stderr, "{}\n", text);
}

}  // namespace

void add_session_options(CLI::App& command, SessionArguments& arguments) {
  command
      .add_option(
          "--threads", arguments.options.threads,
          "Threads of one run, 1..256. 0: PLIANT_THREADS, else the cores that the process may use.")
      ->capture_default_str();
  command
      .add_option("--cpu-level", arguments.options.cpu_level,
                  "Best instruction set that kernels use: portable, avx2 or avx512.")
      ->type_name("LEVEL");
  command
      .add_option(
          "--max-bytes", arguments.options.max_bytes,
          "Most memory for tensors at one moment; 0: what the machine or the container has.")
      ->transform(CLI::AsSizeValue(false))
      ->transform(whole_number())
      ->type_name("BYTES");
  command.add_flag("--verbose", arguments.verbose,
                   "Print what happens, and what executed each segment, to stderr.");
}

Result<Session> load_session(const std::string& path, const SessionArguments& arguments) {
  SessionOptions options = arguments.options;
  if (arguments.verbose) {
    options.log = print_event;
  }
  return Session::load(path, std::move(options));
}

}  // namespace pliant::cli
