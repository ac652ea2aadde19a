#include <fmt/format.h>

#include <cstdint>
#include <memory>

#include <pliant/model.h>

#include "cli/commands.h"
#include "cli/error_report.h"
#include "cli/whole_number.h"

namespace pliant::cli {
namespace {

struct DisassembleOptions {
  std::string model;
  std::int64_t max_elements = 64;
  bool all = false;
};

Status disassemble(const DisassembleOptions& options) {
  const auto model = Model::load(options.model);
  if (!model) {
    return model.error();
  }
  fmt::print("{}", model->to_assembly(options.all ? INT64_MAX : options.max_elements));
  return {};
}

}  // namespace

void add_disasm_command(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<DisassembleOptions>();
  CLI::App* const command = app.add_subcommand("disasm", "Print a model as assembly.");
  command->add_option("model", options->model, "A .onnx, .pasm or .pbc file.")->required();
  command
      ->add_option(
          "--max-elements", options->max_elements,
          "Print no values of constants that have more; the text then does not assemble again.")
      ->transform(whole_number())
      ->capture_default_str();
  command->add_flag("--all", options->all, "Print the values of all constants.");
  command->footer("Example:\n  pliant disasm model.pbc --all > model.pasm");
  command->callback([options, &exit_code] {
    if (const Status status = disassemble(*options); !status) {
      exit_code = report(status.error());
    }
  });
}

}  // namespace pliant::cli
