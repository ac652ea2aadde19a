#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/error_report.h"
#include "cli/inputs.h"
#include "cli/plan_arguments.h"
#include "cli/plan_report.h"
#include "cli/session_arguments.h"
#include "cli/summary.h"

namespace pliant::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct BenchOptions {
  std::string model;
  InputOptions inputs;
  SessionArguments session;
  std::vector<std::string> sweeps;
  int runs = 100;
  int warm_up = 5;
};

/// A line on a terminal that says how far long work is; nothing when stderr goes elsewhere.
class Progress {
 public:
  explicit Progress(std::int64_t total) : total_(total), shown_(Clock::now()) {}
  ~Progress() {
    if (visible_) {
      fmt::print(stderr, "\r\x1b[K");
    }
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step() {
    ++done_;
    const Clock::time_point now = Clock::now();
    if (now - shown_ < std::chrono::seconds(1) || isatty(STDERR_FILENO) == 0) {
      return;
    }
    shown_ = now;
    visible_ = true;
    fmt::print(stderr, "\r{} of {} runs", done_, total_);
    std::fflush(stderr);
  }

 private:
  std::int64_t total_;
  std::int64_t done_ = 0;
  Clock::time_point shown_;
  bool visible_ = false;
};

/// All combinations of the sweeps' values, each on top of `fixed`.
std::vector<Sizes> combine(const Sizes& fixed, const std::vector<Sweep>& sweeps) {
  std::vector<Sizes> all = {fixed};
  for (const Sweep& sweep : sweeps) {
    std::vector<Sizes> next;
    for (const Sizes& sizes : all) {
      for (const std::int64_t value : sweep.values) {
        next.push_back(sizes);
        next.back()[sweep.symbol] = value;
      }
    }
    all = std::move(next);
  }
  return all;
}

std::string milliseconds(double seconds) {
  return fmt::format("{:.3f}", seconds * 1e3);
}

/// What the runs of one combination of sizes came to.
struct Measured {
  std::vector<double> seconds;
  std::string tiers;  ///< that executed them
};

/// One row of the table: latencies by rank in milliseconds.
std::vector<std::string> summarise(const Sizes& sizes, Measured measured) {
  std::vector<double>& times = measured.seconds;
  std::sort(times.begin(), times.end());
  double total = 0;
  for (const double time : times) {
    total += time;
  }
  const auto percentile = [&](double share) {
    const auto last = static_cast<double>(times.size() - 1);
    return milliseconds(times[static_cast<std::size_t>(share * last + 0.5)]);
  };
  return {to_string(sizes),
          std::to_string(times.size()),
          milliseconds(times.front()),
          percentile(0.50),
          percentile(0.90),
          percentile(0.99),
          milliseconds(times.back()),
          fmt::format("{:.1f}", static_cast<double>(times.size()) / total),
          measured.tiers};
}

Result<Measured> measure(Session& session, const std::vector<NamedTensor>& inputs,
                         const BenchOptions& options, Progress& progress) {
  Measured measured;
  PlanCounters before;
  for (int i = -options.warm_up; i < options.runs; ++i) {
    if (i == 0) {
      before = session.statistics().plans.total;
    }
    const Clock::time_point start = Clock::now();
    const auto outputs = session.run(inputs);
    if (!outputs) {
      return outputs.error();
    }
    if (i >= 0) {
      measured.seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    }
    progress.step();
  }
  measured.tiers = tiers_between(before, session.statistics().plans.total);
  return measured;
}

Status bench(const BenchOptions& options) {
  const auto fixed = parse_sizes(options.inputs.random_sizes);
  const auto ranges = parse_ranges(options.inputs.ranges);
  if (!fixed || !ranges) {
    return fixed ? ranges.error() : fixed.error();
  }
  std::vector<Sweep> sweeps;
  for (const std::string& text : options.sweeps) {
    auto sweep = parse_sweep(text);
    if (!sweep) {
      return sweep.error();
    }
    sweeps.push_back(*sweep);
  }
  auto session = load_session(options.model, options.session);
  if (!session) {
    return session.error();
  }
  const auto given = read_inputs(options.inputs.files);
  if (!given) {
    return given.error();
  }
  const std::vector<Sizes> combinations = combine(*fixed, sweeps);
  std::vector<std::vector<std::string>> rows = {
      {"sizes", "runs", "min ms", "p50 ms", "p90 ms", "p99 ms", "max ms", "runs/s", "tier"}};
  {
    Progress progress(static_cast<std::int64_t>(combinations.size()) *
                      (options.runs + options.warm_up));
    for (const Sizes& sizes : combinations) {
      auto inputs =
          make_random_inputs(session->model(), *given, sizes, *ranges, options.inputs.seed);
      if (!inputs) {
        return inputs.error();
      }
      inputs->insert(inputs->end(), given->begin(), given->end());
      auto measured = measure(*session, *inputs, options, progress);
      if (!measured) {
        return measured.error();
      }
      rows.push_back(summarise(sizes, std::move(*measured)));
    }
  }
  fmt::print("{}", format_table(rows));
  const SessionStatistics statistics = session->statistics();
  constexpr double kMebibyte = 1 << 20;
  fmt::print("tensors at most {:.1f} MiB, weights {:.1f} MiB, packed {:.1f} MiB\n",
             static_cast<double>(statistics.peak_bytes) / kMebibyte,
             static_cast<double>(statistics.constant_bytes) / kMebibyte,
             static_cast<double>(statistics.packed_bytes) / kMebibyte);
  fmt::print("{}", describe(statistics.plans));
  return {};
}

}  // namespace

void add_bench_command(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* const command =
      app.add_subcommand("bench", "Run a model many times and print latencies.");
  command->add_option("model", options->model, "A .onnx, .pasm or .pbc file.")->required();
  add_input_options(*command, options->inputs);
  command
      ->add_option("--sizes", options->sweeps,
                   "Values that a symbol takes one after another; several of them are combined.")
      ->type_name("SYMBOL=EXTENT,EXTENT,...")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--runs", options->runs, "Measured runs for each combination of sizes.")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  command->add_option("--warm-up", options->warm_up, "Runs before that, not measured.")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  add_session_options(*command, options->session);
  add_plan_options(*command, options->session.options.plans);
  command->footer(
      "Inputs without --input are random. The last column says which tiers executed the measured\n"
      "runs; below the table stands what was compiled meanwhile.\n\n"
      "Examples:\n"
      "  pliant bench model.onnx --random batch=1 --sizes seq=16,32,64,128 --runs 200\n"
      "  pliant bench model.onnx --random batch=1 --sizes seq=16,32,64,128 --tier interpreter");
  command->callback([options, &exit_code] {
    if (const Status status = bench(*options); !status) {
      exit_code = report(status.error());
    }
  });
}

}  // namespace pliant::cli
