#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/complete_file.h"
#include "cli/error_report.h"
#include "cli/inputs.h"
#include "cli/request_list.h"
#include "cli/session_arguments.h"
#include "cli/whole_number.h"

namespace pliant::cli {
namespace {

struct ProfileOptions {
  std::string model;
  InputOptions inputs;
  std::string request_file;
  std::vector<std::string> requests;  ///< SYMBOL=EXTENT,... each
  SessionArguments session;
  std::string output;
  bool force = false;
};

/// The requests of the file, then those of the command line.
Result<std::vector<Sizes>> gather_requests(const ProfileOptions& options) {
  std::vector<Sizes> requests;
  if (!options.request_file.empty()) {
    auto listed = read_requests(options.request_file);
    if (!listed) {
      return listed;
    }
    requests = std::move(*listed);
  }
  for (const std::string& text : options.requests) {
    auto sizes = parse_sizes({text});
    if (!sizes) {
      return sizes.error();
    }
    requests.push_back(std::move(*sizes));
  }
  if (requests.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "there are no requests: give --requests FILE or --random SYMBOL=EXTENT,...",
                 {}};
  }
  return requests;
}

Status run_requests(Session& session, const ProfileOptions& options,
                    const std::vector<Sizes>& requests) {
  const auto ranges = parse_ranges(options.inputs.ranges);
  if (!ranges) {
    return ranges.error();
  }
  const auto given = read_inputs(options.inputs.files);
  if (!given) {
    return given.error();
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto inputs =
        make_random_inputs(session.model(), *given, requests[i], *ranges, options.inputs.seed + i);
    if (!inputs) {
      return inputs.error();
    }
    inputs->insert(inputs->end(), given->begin(), given->end());
    const auto outputs = session.run(*inputs);
    if (!outputs) {
      Error error = outputs.error();
      error.message =
          fmt::format("request {} ({}): {}", i + 1, to_string(requests[i]), error.message);
      return error;
    }
  }
  return {};
}

Status profile(const ProfileOptions& options) {
  const auto requests = gather_requests(options);
  if (!requests) {
    return requests.error();
  }
  SessionArguments arguments = options.session;
  PlanOptions& plans = arguments.options.plans;
  plans.record = true;
  // Segments are compiled when they are met, so that all are recorded; nothing becomes hot.
  plans.compiling = Compiling::kSync;
  plans.min_compile_iters = 1'000'000;
  auto session = load_session(options.model, arguments);
  if (!session) {
    return session.error();
  }
  if (Status status = run_requests(*session, options, *requests); !status) {
    return status;
  }
  const auto existing = options.force ? Model::Existing::kReplace : Model::Existing::kRefuse;
  if (Status status = write_complete_file(options.output, {session->profile(), "\n"}, existing);
      !status) {
    return status;
  }
  fmt::print("{}: {} requests recorded\n", options.output, requests->size());
  return {};
}

}  // namespace

void add_profile_command(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<ProfileOptions>();
  CLI::App* const command = app.add_subcommand(
      "profile", "Record which sizes a list of requests has, for loading with --profile.");
  command->add_option("model", options->model, "A .onnx, .pasm or .pbc file.")->required();
  command
      ->add_option("--requests", options->request_file,
                   "A text file with one request per line, for example batch=1,seq=37. Empty lines "
                   "and what follows a # are left out.")
      ->type_name("FILE");
  command
      ->add_option("--random", options->requests,
                   "One request with these extents; give it once per request.")
      ->type_name("SYMBOL=EXTENT,...")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_value_options(*command, options->inputs);
  command->add_option("-o,--output", options->output, "The profile to write, as JSON.")
      ->type_name("FILE")
      ->required();
  command->add_flag("--force", options->force, "Replace the file if it exists.");
  command
      ->add_option("--max-signatures", options->session.options.plans.max_profile_signatures,
                   "Different sizes that the profile holds; the rarest go.")
      ->transform(whole_number())
      ->type_name("N")
      ->capture_default_str();
  add_session_options(*command, options->session);
  command->footer(
      "Every request is run once with random inputs of its sizes. What is written are sizes, how\n"
      "often each occurred, and the smallest and largest values of integer inputs; no contents.\n"
      "A service can record its own traffic: PlanOptions::record and Session::profile().\n\n"
      "Examples:\n"
      "  pliant profile model.onnx --requests requests.txt -o traffic.json\n"
      "  pliant profile model.onnx --random batch=1,seq=37 --random batch=4,seq=128 -o "
      "traffic.json\n"
      "  pliant bench model.onnx --random batch=1 --sizes seq=30,128 --profile traffic.json");
  command->callback([options, &exit_code] {
    if (const Status status = profile(*options); !status) {
      exit_code = report(status.error());
    }
  });
}

}  // namespace pliant::cli
