#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pliant/model.h>

#include "cli/commands.h"
#include "cli/error_report.h"
#include "cli/summary.h"

namespace pliant::cli {
namespace {

/// `f32[batch, 4]`; "?" stands for what only a run can tell.
template <class Info>
std::string describe(const Info& info) {
  const std::optional<DType> dtype = info.dtype;
  std::string shape = info.rank_known ? "" : "...";
  for (const Dimension& dimension : info.shape) {
    const std::string& formula = dimension.symbol.empty() ? "?" : dimension.symbol;
    shape += shape.empty() ? "" : ", ";
    shape += dimension.extent ? std::to_string(*dimension.extent) : formula;
  }
  return fmt::format("{}[{}]", dtype ? name(*dtype) : "?", shape);
}

Status verify(const std::string& path) {
  const auto model = Model::load(path);
  if (!model) {
    return model.error();
  }
  std::vector<std::vector<std::string>> rows;
  for (const InputInfo& input : model->inputs()) {
    rows.push_back(
        {"input", input.name, describe(input) + (input.has_default ? " (optional)" : "")});
  }
  for (const OutputInfo& output : model->outputs()) {
    rows.push_back({"output", output.name, describe(output)});
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
