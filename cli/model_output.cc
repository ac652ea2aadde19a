#include "cli/model_output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace pliant::cli {
namespace {

Status write_assembly(const Model& model, const ModelOutput& output) {
  // "x": opening fails when the file exists, with no gap between looking and writing.
  std::FILE* const file = std::fopen(output.path.c_str(), output.force ? "wb" : "wbx");
  if (file == nullptr && errno == EEXIST) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} exists; --force replaces it", output.path),
                 {}};
  }
  const std::string text = file != nullptr ? model.to_assembly() : std::string();
  const bool written =
      file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int failure = errno;
  if (file != nullptr && (std::fclose(file) != 0 || !written)) {
    std::remove(output.path.c_str());
  } else if (written) {
    return {};
  }
  return Error{
      ErrorCode::kIo, fmt::format("cannot write {}: {}", output.path, std::strerror(failure)), {}};
}

}  // namespace

void add_output_options(CLI::App& command, ModelOutput& output) {
  command
      .add_option("-o,--output", output.path, "File to write: .pbc (bytecode) or .pasm (assembly).")
      ->type_name("FILE")
      ->required();
  command.add_flag("--force", output.force, "Replace the file if it exists.");
}

Status write_model(const Model& model, const ModelOutput& output) {
  const std::string extension = std::filesystem::path(output.path).extension().string();
  if (extension == ".pasm") {
    return write_assembly(model, output);
  }
  if (extension == ".pbc") {
    return model.save(output.path,
                      output.force ? Model::Existing::kReplace : Model::Existing::kRefuse);
  }
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("the output must be a .pbc or .pasm file: {}", output.path),
               {}};
}

}  // namespace pliant::cli
