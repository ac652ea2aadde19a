#include <memory>

#include "cli/commands.h"
#include "cli/error_report.h"
#include "cli/model_output.h"

namespace pliant::cli {
namespace {

struct AssembleOptions {
  std::string source;
  ModelOutput output;
};

Status assemble(const AssembleOptions& options) {
  const auto model = Model::load(options.source);
  return model ? write_model(*model, options.output) : Status(model.error());
}

}  // namespace

void add_asm_command(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<AssembleOptions>();
  CLI::App* const command = app.add_subcommand("asm", "Assemble a .pasm file to bytecode.");
  command->add_option("source", options->source, "A .pasm file.")->required();
  add_output_options(*command, options->output);
  command->footer("Example:\n  pliant asm model.pasm -o model.pbc");
  command->callback([options, &exit_code] {
    if (const Status status = assemble(*options); !status) {
      exit_code = report(status.error());
    }
  });
}

}  // namespace pliant::cli
