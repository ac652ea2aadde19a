#include "cli/plan_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "cli/whole_number.h"

namespace pliant::cli {
namespace {

constexpr const char* kGroup = "Plans";
constexpr const char* kNumbersGroup = "Plans, the numbers behind them";

template <class Value>
using Words = std::initializer_list<std::pair<const char*, Value>>;

/// An option whose value is one of a few words.
template <class Value>
void add_choice(CLI::App& command, const char* name, Value& value, Words<Value> words,
                const char* description) {
  std::vector<std::pair<std::string, Value>> known(words.begin(), words.end());
  std::vector<std::string> names;
  std::string standard;
  for (const auto& [word, meaning] : known) {
    names.push_back(word);
    standard = meaning == value ? word : standard;
  }
  const std::string expected = fmt::format("{}", fmt::join(names, "|"));
  command
      .add_option_function<std::string>(
          name,
          [&value, name, expected, known](const std::string& text) {
            for (const auto& [word, meaning] : known) {
              if (word == text) {
                value = meaning;
                return;
              }
            }
            throw CLI::ValidationError(name, fmt::format("expected {}: '{}'", expected, text));
          },
          description)
      ->type_name(expected)
      ->default_str(standard)
      ->group(kGroup);
}

/// An option that is a count.
template <class Number>
CLI::Option* add_number(CLI::App& command, const char* name, Number& value,
                        const char* description) {
  return command.add_option(name, value, description)
      ->transform(whole_number())
      ->type_name("N")
      ->capture_default_str()
      ->group(kNumbersGroup);
}

void add_milliseconds(CLI::App& command, const char* name, std::chrono::milliseconds& value,
                      const char* description) {
  command
      .add_option_function<std::int64_t>(
          name, [&value](std::int64_t count) { value = std::chrono::milliseconds(count); },
          description)
      ->transform(whole_number())
      ->type_name("MS")
      ->default_str(std::to_string(value.count()))
      ->group(kNumbersGroup);
}

}  // namespace

void add_plan_options(CLI::App& command, PlanOptions& options) {
  add_choice<Tier>(command, "--tier", options.tier,
                   {{"auto", Tier::kAuto},
                    {"interpreter", Tier::kInterpreter},
                    {"any", Tier::kAny},
                    {"bucketed", Tier::kBucketed},
                    {"exact", Tier::kExact}},
                   "What runs are executed by. auto: the best plan there is. The others demand one "
                   "kind, compile it if need be, and fail where it cannot be had.");
  add_choice<Floor>(
      command, "--floor", options.floor,
      {{"plan", Floor::kPlan}, {"interpreter", Floor::kInterpreter}},
      "What executes sizes that are not hot: a plan for any size, or the interpreter.");
  add_choice<Compiling>(command, "--compiling", options.compiling,
                        {{"background", Compiling::kBackground},
                         {"sync", Compiling::kSync},
                         {"sealed", Compiling::kSealed}},
                        "Who compiles plans for hot sizes: a thread of its own, the run that makes "
                        "them hot, or nobody once the model is loaded.");
  add_choice<bool>(command, "--rounding-fusions", options.rounding_fusions,
                   {{"on", true}, {"off", false}},
                   "Fusions that round differently from the instructions that they replace. off: "
                   "plans give the bits of the interpreter.");
  command
      .add_option("--profile", options.warm_up_profile,
                  "Recorded traffic (see pliant profile): its heaviest boxes are compiled while "
                  "loading.")
      ->type_name("FILE")
      ->group(kGroup);
  command
      .add_flag("--self-check", options.self_check,
                "Compare each new plan with the interpreter before it is used.")
      ->group(kGroup);
  command
      .add_option("--reproducers", options.reproducer_folder,
                  "An existing folder for what --self-check finds: program, inputs, a description.")
      ->type_name("FOLDER")
      ->group(kGroup);

  add_number(command, "--min-compile-iters", options.min_compile_iters,
             "Runs in one bucket until it is compiled.");
  add_number(command, "--half-life-runs", options.half_life_runs,
             "Runs after which a count of runs has halved.");
  add_number(command, "--bucket-width", options.bucket_width, "Extents that share a plan.");
  add_number(command, "--max-counted-boxes", options.max_counted_boxes,
             "Buckets whose runs are counted.");
  add_number(command, "--max-plans", options.max_plans,
             "Plans kept per segment; the least recently used goes.");
  command
      .add_option("--max-plan-bytes", options.max_plan_bytes,
                  "Bytes of all plans, floors left out.")
      ->transform(CLI::AsSizeValue(false))
      ->transform(whole_number())
      ->type_name("BYTES")
      ->capture_default_str()
      ->group(kNumbersGroup);
  add_number(command, "--warm-up-boxes", options.warm_up_boxes,
             "Boxes of --profile that are compiled at most.");
  add_number(command, "--breaker-new-boxes", options.breaker_new_boxes,
             "New hot buckets within the window; one more stops compiling. 0: it never stops.");
  add_milliseconds(command, "--breaker-window", options.breaker_window,
                   "The window in which new hot buckets are counted.");
  add_milliseconds(command, "--breaker-calm-period", options.breaker_calm_period,
                   "Quiet time until compiling is tried again.");
}

}  // namespace pliant::cli
