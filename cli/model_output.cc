#include "cli/model_output.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/complete_file.h"

namespace pliant::cli {

void add_output_options(CLI::App& command, ModelOutput& output) {
  command
      .add_option("-o,--output", output.path, "File to write: .pbc (bytecode) or .pasm (assembly).")
      ->type_name("FILE")
      ->required();
  command.add_flag("--force", output.force, "Replace the file if it exists.");
}

Status write_model(const Model& model, const ModelOutput& output) {
  const std::string extension = std::filesystem::path(output.path).extension().string();
  const auto existing = output.force ? Model::Existing::kReplace : Model::Existing::kRefuse;
  if (extension == ".pasm") {
    return write_complete_file(output.path, {model.to_assembly()}, existing);
  }
  if (extension == ".pbc") {
    return model.save(output.path, existing);
  }
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("the output must be a .pbc or .pasm file: {}", output.path),
               {}};
}

}  // namespace pliant::cli
