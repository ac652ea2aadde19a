#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/error_report.h"
#include "cli/inputs.h"
#include "cli/plan_arguments.h"
#include "cli/session_arguments.h"
#include "cli/terminal_text.h"

namespace pliant::cli {
namespace {

struct ExplainOptions {
  std::string model;
  InputOptions inputs;
  SessionArguments session;
};

/// Lines stay lines; anything else that a terminal would act on does not get there.
void print_lines(const std::string& text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    fmt::print("{}\n", terminal_text(text.substr(begin, end - begin)));
    begin = end + 1;
  }
}

Status explain(const ExplainOptions& options) {
  auto session = load_session(options.model, options.session);
  if (!session) {
    return session.error();
  }
  const auto inputs = gather_inputs(session->model(), options.inputs);
  if (!inputs) {
    return inputs.error();
  }
  // Segments whose ranks are known only in a run are compiled when a run has met them.
  if (const auto outputs = session->run(*inputs); !outputs) {
    return outputs.error();
  }
  session->finish_compiling();
  const auto text = session->explain(*inputs);
  if (!text) {
    return text.error();
  }
  print_lines(*text);
  return {};
}

}  // namespace

void add_explain_command(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* const command =
      app.add_subcommand("explain", "Run a model and show the plan that executes it.");
  command->add_option("model", options->model, "A .onnx, .pasm or .pbc file.")->required();
  add_input_options(*command, options->inputs);
  add_session_options(*command, options->session);
  add_plan_options(*command, options->session.options.plans);
  command->footer(
      "For each segment of the program: the tier and the box of the plan, its steps with what was\n"
      "fused into them, the kernels that were chosen at these sizes, and where tensors lie in\n"
      "memory; or why there is no plan. A fresh session has the plan for any size alone: ask for\n"
      "others with --tier, or give the traffic that they come from with --profile.\n\n"
      "Examples:\n"
      "  pliant explain model.onnx --random batch=4,seq=128\n"
      "  pliant explain model.onnx --random batch=4,seq=128 --tier bucketed");
  command->callback([options, &exit_code] {
    if (const Status status = explain(*options); !status) {
      exit_code = report(status.error());
    }
  });
}

}  // namespace pliant::cli
