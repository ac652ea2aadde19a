// What plans of whole models promise, at sizes around those of the recorded cases.
//
//   model_plans FOLDER MODEL [large] [gaps]
//
// large: see Effort. gaps: bucketed plans cannot be had at some sizes that the interpreter takes; a
// gap that is not listed breaks a promise, and so does one that is listed and not there.
//
// Exit status 1 when a promise is broken, 77 (ctest: skipped) when the folder is not there.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <pliant/session.h>

#include "recorded_case.h"
#include "support/batch_rows.h"
#include "support/bit_difference.h"
#include "support/made_inputs.h"
#include "support/memory_promise.h"
#include "support/size_sweep.h"

namespace pliant::testing {
namespace {

namespace fs = std::filesystem;

constexpr int kSkipped = 77;

/// Complaints of all promises.
class Complaints {
 public:
  explicit Complaints(std::string model) : model_(std::move(model)) {}
  void add(const std::string& words) {
    ++count_;
    fmt::print("FAIL {}: {}\n", model_, words);
  }
  [[nodiscard]] int count() const { return count_; }

 private:
  std::string model_;
  int count_ = 0;
};

/// How much of a model is tried. Large models would take minutes at every size of wide buckets.
struct Effort {
  const char* words = "";
  bool all_cases = true;  ///< or only the one with the smallest inputs
  SweepBreadth breadth{};
  std::size_t more_sizes = 0;  ///< of each case, besides the sweep
  std::vector<std::int64_t> batches{};
};

const Effort kThorough{"all cases, buckets of 16",
                       true,
                       {.bucket_width = 16, .pairs = true, .random_points = 32},
                       12,
                       {2, 5, 17}};
const Effort kLarge{"large: the smallest case alone, buckets of 8",
                    false,
                    {.bucket_width = 8, .pairs = false, .random_points = 0},
                    3,
                    {2}};

/// One model under test.
struct Subject {
  std::string path;
  const Effort& effort;
  bool has_gaps = false;
  std::vector<InputMaker> recorded{};
  Complaints& complaints;

  std::optional<Session> load(const SessionOptions& options) {
    auto session = Session::load(path, options);
    if (!session) {
      complaints.add(session.error().to_string());
      return std::nullopt;
    }
    return std::move(*session);
  }
};

/// Bit for bit as the interpreter at every size of a bucket.
void sweep(Subject& subject) {
  SessionOptions options;
  options.plans.rounding_fusions = false;
  options.plans.compiling = Compiling::kSync;
  options.plans.bucket_width = subject.effort.breadth.bucket_width;
  auto session = subject.load(options);
  if (!session) {
    return;
  }
  const SweepResult result = sweep_sizes(*session, subject.recorded, subject.effort.breadth);
  fmt::print("{} sizes in {} boxes: {} refused, {} not varied; tiers: {}\n", result.requests,
             result.boxes, result.refused, result.unvaried, to_string(result.tiers));
  const std::string refusal =
      subject.has_gaps
          ? unexpected_refusal(result.tiers, {"the expression of an extent grew past its limit",
                                              "a shape came out otherwise than the plan assumed"})
          : unexpected_refusal(result.tiers, {});
  if (!refusal.empty()) {
    subject.complaints.add(refusal);
  }
  if (subject.has_gaps && !has_refusal(result.tiers)) {
    subject.complaints.add("listed with gaps, but there are none");
  }
  if (result.refused == result.requests) {
    subject.complaints.add("the model refused every size that was tried");
  }
  if (!result.complaint.empty()) {
    subject.complaints.add(result.complaint);
  }
}

/// The recorded sizes, and some others in their buckets.
std::vector<std::vector<std::int64_t>> some_sizes(const InputMaker& maker, const Effort& effort) {
  std::vector<std::vector<std::int64_t>> some = {maker.sizes()};
  const auto all = sizes_in_buckets(maker.symbols(), effort.breadth, 7);
  for (std::size_t i = 0; i < all.size(); i += all.size() / effort.more_sizes + 1) {
    some.push_back(all[i]);
  }
  return some;
}

void check_explained_memory(Subject& subject, Session& session) {
  double worst = 0;
  int maps = 0;
  for (const InputMaker& maker : subject.recorded) {
    for (const auto& sizes : some_sizes(maker, subject.effort)) {
      const auto text = session.explain(maker.make(sizes, Integers::kLeast, 1));
      const MemoryPromise promise = text ? check_memory(*text) : MemoryPromise{};
      maps += promise.maps;
      worst = std::max(worst, promise.worst_ratio);
      if (!promise.broken.empty()) {
        subject.complaints.add(fmt::format("sizes {}: {}", fmt::join(sizes, ", "), promise.broken));
      }
    }
  }
  fmt::print("memory: {} arenas, at most {:.3f} times the least\n", maps, worst);
  if (maps == 0) {
    subject.complaints.add("no size was explained with a map of its memory");
  }
}

void check_rows(Subject& subject, Session& session) {
  int count = 0;
  for (const InputMaker& maker : subject.recorded) {
    if (!maker.has_batch()) {
      continue;
    }
    for (const std::int64_t batch : subject.effort.batches) {
      const BatchResult result = compare_rows(session, maker, batch);
      count += result.rows;
      if (!result.complaint.empty()) {
        subject.complaints.add(result.complaint);
      }
    }
  }
  fmt::print("rows: {} compared with themselves alone\n", count);
}

/// With all fusions on, any plan of any session gives the same bits.
void check_agreement(Subject& subject, Session& one_thread, Session& two_threads) {
  int count = 0;
  const auto compare = [&](const std::vector<NamedTensor>& inputs) {
    const auto expected = one_thread.run(inputs, {.tier = Tier::kAny});
    if (!expected) {
      return;
    }
    for (Session* const session : {&one_thread, &two_threads}) {
      for (const Tier tier : {Tier::kAny, Tier::kBucketed, Tier::kExact}) {
        const std::string words = bit_difference(expected, session->run(inputs, {.tier = tier}));
        ++count;
        if (!words.empty()) {
          subject.complaints.add(fmt::format("with fusions, tier {}, {}: {}", tier_name(tier),
                                             session == &one_thread ? "1 thread" : "2 threads",
                                             words));
        }
      }
    }
  };
  for (const InputMaker& maker : subject.recorded) {
    for (const auto& sizes : some_sizes(maker, subject.effort)) {
      compare(maker.make(sizes, Integers::kLowerHalf, 3));
    }
  }
  fmt::print("agreement: {} runs of plans with each other\n", count);
  if (count == 0) {
    subject.complaints.add("with fusions, the plan for any size ran at no size");
  }
}

void check_fused(Subject& subject) {
  SessionOptions options;
  options.threads = 1;
  auto one_thread = subject.load(options);
  options.threads = 2;
  auto two_threads = subject.load(options);
  if (one_thread && two_threads) {
    check_agreement(subject, *one_thread, *two_threads);
    check_rows(subject, *two_threads);
    check_explained_memory(subject, *two_threads);
  }
}

std::int64_t element_count(const std::vector<NamedTensor>& inputs) {
  return std::accumulate(
      inputs.begin(), inputs.end(), std::int64_t{0},
      [](std::int64_t sum, const NamedTensor& input) { return sum + input.value.element_count(); });
}

bool read_cases(Subject& subject, const std::string& folder) {
  auto session = subject.load({});
  if (!session) {
    return false;
  }
  std::vector<std::vector<NamedTensor>> cases;
  for (const std::string& case_folder : recorded_case_folders(folder)) {
    auto inputs = read_recorded_inputs(*session, case_folder, ".npy");
    if (!inputs) {
      subject.complaints.add(inputs.error().to_string());
      return false;
    }
    cases.push_back(std::move(*inputs));
  }
  if (!subject.effort.all_cases) {
    std::ranges::sort(cases, {}, element_count);
    cases.resize(std::min<std::size_t>(cases.size(), 1));
  }
  for (std::vector<NamedTensor>& inputs : cases) {
    subject.recorded.emplace_back(session->model(), std::move(inputs));
  }
  return true;
}

int run_model(const fs::path& folder, const std::string& model,
              const std::set<std::string>& words) {
  Complaints complaints(model);
  const Effort& effort = words.contains("large") ? kLarge : kThorough;
  Subject subject{
      (folder / (model + ".onnx")).string(), effort, words.contains("gaps"), {}, complaints};
  fmt::print("{}\n", effort.words);
  if (read_cases(subject, (folder / model).string())) {
    sweep(subject);
    check_fused(subject);
  }
  return complaints.count() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace pliant::testing

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2) {
    fmt::print("usage: model_plans FOLDER MODEL [large] [gaps]\n");
    return 2;
  }
  if (!std::filesystem::is_directory(arguments[0])) {
    fmt::print("skipped: there is no folder {}\n", arguments[0]);
    return pliant::testing::kSkipped;
  }
  return pliant::testing::run_model(arguments[0], arguments[1],
                                    {arguments.begin() + 2, arguments.end()});
}
