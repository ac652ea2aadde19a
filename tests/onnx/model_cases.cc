// Runs recorded cases of whole models: MODEL.onnx beside a folder MODEL with dev_<n>/input_<i>.npy and
// output_<i>.npy.
//
//   model_cases FOLDER MODEL …
//
// Exit status 1 when a case fails, 77 (ctest: skipped) when the folder is not there.

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include <pliant/session.h>

#include "recorded_case.h"

namespace pliant::testing {
namespace {

namespace fs = std::filesystem;

constexpr int kSkipped = 77;

/// The tolerances under which the cases were recorded; basic_pitch sums long windows.
Tolerances tolerances_for(const std::string& model) {
  return {.full = {.relative = 1e-3, .absolute = model == "basic_pitch" ? 1e-3 : 1e-4},
          .half = {.relative = 2e-2, .absolute = 2e-2}};
}

struct Count {
  int passed = 0;
  int failed = 0;
};

/// Once as users run it, with all fusions, and once in all tiers bit for bit.
void run_cases(Session& session, const std::vector<std::string>& cases, const std::string& model,
               std::string (*run)(Session&, const std::string&, const std::string&,
                                  const Tolerances&),
               Count& count) {
  for (const std::string& path : cases) {
    const std::string wrong = run(session, path, ".npy", tolerances_for(model));
    if (wrong.empty()) {
      ++count.passed;
    } else {
      ++count.failed;
      fmt::print("FAIL {} {}: {}\n", model, fs::path(path).filename().string(), wrong);
    }
  }
}

void run_model(const fs::path& folder, const std::string& model, Count& count) {
  const std::string path = (folder / (model + ".onnx")).string();
  SessionOptions exact_options;
  exact_options.plans.rounding_fusions = false;
  auto session = Session::load(path);
  auto exact = Session::load(path, exact_options);
  if (!session || !exact) {
    ++count.failed;
    fmt::print("FAIL {}: {}\n", model, (session ? exact : session).error().to_string());
    return;
  }
  const std::vector<std::string> cases = recorded_case_folders((folder / model).string());
  if (cases.empty()) {
    ++count.failed;
    fmt::print("FAIL {}: no cases\n", model);
  }
  run_cases(*session, cases, model, run_recorded_case, count);
  run_cases(*exact, cases, model, run_recorded_case_in_all_tiers, count);
}

}  // namespace
}  // namespace pliant::testing

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2) {
    fmt::print("usage: model_cases FOLDER MODEL …\n");
    return 2;
  }
  if (!std::filesystem::is_directory(arguments[0])) {
    fmt::print("skipped: there is no folder {}\n", arguments[0]);
    return pliant::testing::kSkipped;
  }
  pliant::testing::Count count;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    pliant::testing::run_model(arguments[0], arguments[i], count);
  }
  fmt::print("{} of {} cases\n", count.passed, count.passed + count.failed);
  return count.failed == 0 ? 0 : 1;
}
