#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "cli/commands.h"
#include "cli/complete_file.h"
#include "cli/error_report.h"
#include "cli/inputs.h"
#include "cli/npy.h"
#include "cli/plan_arguments.h"
#include "cli/plan_report.h"
#include "cli/session_arguments.h"
#include "cli/summary.h"

namespace pliant::cli {
namespace {

struct RunArguments {
  std::string model;
  InputOptions inputs;
  SessionArguments session;
  std::string output_folder;
  std::string trace;
  bool quiet = false;
};

std::string file_name(std::size_t output) {
  return fmt::format("output_{}.npy", output);
}

Status write_outputs(const std::string& folder, const std::vector<Tensor>& outputs) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    return Error{
        ErrorCode::kIo, fmt::format("cannot create folder {}: {}", folder, failure.message()), {}};
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::filesystem::path path = std::filesystem::path(folder) / file_name(i);
    if (Status status = write_npy(path.string(), outputs[i]); !status) {
      return status;
    }
  }
  return {};
}

void print_summary(const Model& model, const std::vector<Tensor>& outputs) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    rows.push_back(
        {std::to_string(i), model.outputs()[i].name, describe(outputs[i]), summarise(outputs[i])});
  }
  fmt::print("{}", format_table(rows));
}

Status run(const RunArguments& options) {
  auto session = load_session(options.model, options.session);
  if (!session) {
    return session.error();
  }
  const auto inputs = gather_inputs(session->model(), options.inputs);
  if (!inputs) {
    return inputs.error();
  }
  std::vector<SegmentRun> segments;
  pliant::RunOptions run_options;
  std::string trace;
  run_options.trace = options.trace.empty() ? nullptr : &trace;
  run_options.report = options.session.verbose ? &segments : nullptr;
  const auto outputs = session->run(*inputs, run_options);
  fmt::print(stderr, "{}", describe(segments));
  if (!options.trace.empty()) {
    if (Status status = write_complete_file(options.trace, {trace}, Model::Existing::kReplace);
        !status) {
      return status;
    }
  }
  if (!outputs) {
    return outputs.error();
  }
  if (!options.output_folder.empty()) {
    if (Status status = write_outputs(options.output_folder, *outputs); !status) {
      return status;
    }
  }
  if (!options.quiet) {
    print_summary(session->model(), *outputs);
  }
  return {};
}

}  // namespace

void add_run_command(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<RunArguments>();
  CLI::App* const command = app.add_subcommand("run", "Run a model once.");
  command->add_option("model", options->model, "A .onnx, .pasm or .pbc file.")->required();
  add_input_options(*command, options->inputs);
  command
      ->add_option("--output", options->output_folder,
                   "Write output_0.npy, output_1.npy, … in the model's order to this folder, which "
                   "is made if missing.")
      ->check(CLI::Validator(
          [](std::string& folder) {
            return folder.empty() ? std::string("the folder has no name") : std::string();
          },
          ""))
      ->type_name("FOLDER");
  command->add_flag("--quiet", options->quiet, "Print no table of outputs.");
  command
      ->add_option("--trace", options->trace,
                   "Write when each kernel began and ended, as JSON for Perfetto "
                   "(ui.perfetto.dev) or chrome://tracing; an existing file is replaced.")
      ->type_name("FILE");
  add_session_options(*command, options->session);
  add_plan_options(*command, options->session.options.plans);
  command->footer(
      "Examples:\n"
      "  pliant run model.onnx --input ids=ids.npy --input mask=mask.npy --output results\n"
      "  pliant run model.onnx --random batch=2,seq=128 --range ids=0..30521");
  command->callback([options, &exit_code] {
    if (const Status status = run(*options); !status) {
      exit_code = report(status.error());
    }
  });
}

}  // namespace pliant::cli
