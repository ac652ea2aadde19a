// Runs the standard's node suite: one folder per case with model.onnx and test_data_set_<n>.
//
//   node_suite FOLDER EXPECTED_FAILURES static|dynamised [ONLY]
//
// ONLY: run the cases whose names contain this, and print each. The last line counts; the exit
// status is 1 when a case fails that is not listed, or passes though it is, and 77 (ctest: skipped)
// when the folder is not there.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <pliant/model.h>

#include "expected_failures.h"
#include "recorded_case.h"
#include "support/size_sweep.h"

namespace pliant::testing {
namespace {

namespace fs = std::filesystem;

/// The tolerances of the suite's own runner.
constexpr Tolerances kTolerances{.full = {.relative = 1e-3, .absolute = 1e-7},
                                 .half = {.relative = 1e-3, .absolute = 1e-7}};
constexpr int kSkipped = 77;

std::vector<fs::path> sorted_folders(const fs::path& parent, const std::string& prefix) {
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent)) {
    if (entry.is_directory() && entry.path().filename().string().starts_with(prefix)) {
      folders.push_back(entry.path());
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

/// What was tried beside the recorded sizes.
struct Swept {
  int requests = 0;
  int refused = 0;
  RunsByTier tiers{};
  std::size_t boxes = 0;
};

/// Bucketed plans at every size of the buckets of the recorded ones.
std::string sweep(Session& session, const std::vector<fs::path>& data_sets, Swept& swept) {
  std::vector<InputMaker> recorded;
  for (const fs::path& data : data_sets) {
    auto inputs = read_recorded_inputs(session, data.string(), ".pb");
    if (!inputs) {
      return "input: " + inputs.error().to_string();
    }
    recorded.emplace_back(session.model(), std::move(*inputs));
  }
  const SweepResult result = sweep_sizes(session, recorded, {});
  swept.requests += result.requests;
  swept.refused += result.refused;
  for (const auto& [tier, runs] : result.tiers) {
    swept.tiers[tier].add(runs);
  }
  swept.boxes += result.boxes;
  if (!result.complaint.empty()) {
    return result.complaint;
  }
  return unexpected_refusal(result.tiers, {"there have been too many different ranks"});
}

std::string run_case(const fs::path& folder, const std::string& mode, Swept& swept) {
  auto bytes = read_file((folder / "model.onnx").string());
  if (bytes && mode == "dynamised") {
    bytes = dynamise(*bytes);
  }
  if (!bytes) {
    return bytes.error().to_string();
  }
  auto model = Model::from_onnx(*bytes);
  if (!model) {
    return model.error().to_string();
  }
  SessionOptions options;
  options.threads = 1;  // the cases are tiny
  options.plans.rounding_fusions = false;
  options.plans.compiling = Compiling::kSync;
  auto session = Session::create(std::move(*model), options);
  if (!session) {
    return session.error().to_string();
  }
  const std::vector<fs::path> data_sets = sorted_folders(folder, "test_data_set_");
  for (const fs::path& data : data_sets) {
    std::string wrong = run_recorded_case_in_all_tiers(*session, data.string(), ".pb", kTolerances);
    if (!wrong.empty()) {
      return wrong;
    }
  }
  return mode == "dynamised" ? sweep(*session, data_sets, swept) : std::string();
}

int run_suite(const std::string& folder, const std::string& list, const std::string& mode,
              const std::string& only) {
  if (!fs::is_directory(folder)) {
    fmt::print("skipped: there is no folder {} (Debian: libonnx-testdata)\n", folder);
    return kSkipped;
  }
  auto expected = ExpectedFailures::read(list, mode);
  if (!expected) {
    fmt::print("{}\n", expected.error().to_string());
    return 2;
  }
  int passed = 0, listed = 0, wrong = 0;
  Swept swept;
  for (const fs::path& path : sorted_folders(folder, "test_")) {
    const std::string name = path.filename().string();
    if (name.find(only) == std::string::npos) {
      continue;
    }
    if (!only.empty()) {
      fmt::print("{}\n", name);
      std::fflush(stdout);  // so that a crash shows where
    }
    const std::string failure = run_case(path, mode, swept);
    const std::string* reason = expected->reason(name);
    if (failure.empty() && reason == nullptr) {
      ++passed;
    } else if (failure.empty()) {
      ++wrong;
      fmt::print("UNEXPECTED PASS {}: listed as failing: {}\n", name, *reason);
    } else if (reason != nullptr) {
      ++listed;
    } else {
      ++wrong;
      fmt::print("FAIL {}: {}\n", name, failure);
    }
  }
  if (only.empty()) {
    for (const std::string& pattern : expected->unused()) {
      ++wrong;
      fmt::print("NO SUCH CASE {}\n", pattern);
    }
  }
  if (mode == "dynamised") {
    fmt::print("{} other sizes in {} boxes: {} refused; tiers: {}\n", swept.requests, swept.boxes,
               swept.refused, to_string(swept.tiers));
  }
  fmt::print("{}: {} passed, {} failed as listed, {} wrong\n", mode, passed, listed, wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace pliant::testing

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 3 || (arguments[2] != "static" && arguments[2] != "dynamised")) {
    fmt::print("usage: node_suite FOLDER EXPECTED_FAILURES static|dynamised [ONLY]\n");
    return 2;
  }
  return pliant::testing::run_suite(arguments[0], arguments[1], arguments[2],
                                    arguments.size() > 3 ? arguments[3] : "");
}
