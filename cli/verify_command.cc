#include <fmt/format.h>

#include <memory>

#include <pliant/model.h>

#include "cli/commands.h"
#include "cli/error_report.h"
#include "cli/summary.h"

namespace pliant::cli {
namespace {

std::string describe(const InputInfo& input) {
  std::string shape = input.rank_known ? "" : "...";
  for (const Dimension& dimension : input.shape) {
    shape += shape.empty() ? "" : ", ";
    shape += dimension.extent ? std::to_string(*dimension.extent) : dimension.symbol;
  }
  return fmt::format("{}[{}]{}", name(input.dtype), shape, input.has_default ? " (optional)" : "");
}

Status verify(const std::string& path) {
  const auto model = Model::load(path);
  if (!model) {
    return model.error();
  }
  std::vector<std::vector<std::string>> rows;
  for (const InputInfo& input : model->inputs()) {
    rows.push_back({"input", input.name, describe(input)});
  }
  for (const OutputInfo& output : model->outputs()) {
    rows.push_back({"output", output.name});
  }
  fmt::print("{}valid: {} instructions, {:.1f} MiB of constants\n", format_table(rows),
             model->instruction_count(), static_cast<double>(model->constant_bytes()) / (1 << 20));
  return {};
}

}  // namespace

void add_verify_command(CLI::App& app, ExitCode& exit_code) {
  auto path = std::make_shared<std::string>();
  CLI::App* const command =
      app.add_subcommand("verify", "Check a model and list its inputs and outputs.");
  command->add_option("model", *path, "A .onnx, .pasm or .pbc file.")->required();
  command->footer("Example:\n  pliant verify model.onnx");
  command->callback([path, &exit_code] {
    if (const Status status = verify(*path); !status) {
      exit_code = report(status.error());
    }
  });
}

}  // namespace pliant::cli
