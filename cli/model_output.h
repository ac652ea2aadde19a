#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include <pliant/model.h>

namespace pliant::cli {

/// Where a command writes a model to.
struct ModelOutput {
  std::string path;
  bool force = false;
};

/// Adds -o/--output and --force.
void add_output_options(CLI::App& command, ModelOutput& output);

/// Writes bytecode to a .pbc file or assembly to a .pasm file. Without --force an existing file is
/// an error.
[[nodiscard]] Status write_model(const Model& model, const ModelOutput& output);

}  // namespace pliant::cli
