#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/error_report.h"
#include "cli/model_output.h"

namespace pliant::cli {
namespace {

struct ImportOptions {
  std::string model;
  ModelOutput output;
};

Status import_model(const ImportOptions& options) {
  const auto model = Model::load(options.model);
  if (!model) {
    return model.error();
  }
  if (Status status = write_model(*model, options.output); !status) {
    return status;
  }
  fmt::print("{}: {} instructions, {:.1f} MiB of constants\n", options.output.path,
             model->instruction_count(), static_cast<double>(model->constant_bytes()) / (1 << 20));
  return {};
}

}  // namespace

void add_import_command(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* const command =
      app.add_subcommand("import", "Turn an ONNX model into a program that loads faster.");
  command->add_option("model", options->model, "A .onnx file.")->required();
  add_output_options(*command, options->output);
  command->footer("Example:\n  pliant import model.onnx -o model.pbc");
  command->callback([options, &exit_code] {
    if (const Status status = import_model(*options); !status) {
      exit_code = report(status.error());
    }
  });
}

}  // namespace pliant::cli
