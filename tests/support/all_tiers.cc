#include "support/all_tiers.h"

#include <fmt/format.h>

#include <cstring>

namespace pliant::testing {
namespace {

/// Where two answers differ first; empty if nowhere.
std::string first_difference(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].dtype() != b[i].dtype() || a[i].shape() != b[i].shape()) {
      return fmt::format("output {} has another type or shape", i);
    }
    const auto* const left = static_cast<const std::byte*>(a[i].data());
    const auto* const right = static_cast<const std::byte*>(b[i].data());
    const std::size_t size = byte_size(a[i].dtype());
    for (std::size_t byte = 0; byte < a[i].byte_size(); ++byte) {
      if (left[byte] != right[byte]) {
        return fmt::format("output {} differs at element {} of {}", i, byte / size,
                           a[i].element_count());
      }
    }
  }
  return {};
}

std::string compare(const Result<std::vector<Tensor>>& expected,
                    const Result<std::vector<Tensor>>& actual) {
  if (expected.has_value() != actual.has_value()) {
    return expected ? actual.error().to_string()
                    : "it succeeds, the interpreter says " + expected.error().to_string();
  }
  if (expected) {
    return first_difference(*expected, *actual);
  }
  return expected.error().to_string() == actual.error().to_string()
             ? std::string()
             : fmt::format("it says {}, the interpreter says {}", actual.error().to_string(),
                           expected.error().to_string());
}

}  // namespace

TierRuns run_in_all_tiers(Session& session, std::span<const NamedTensor> inputs) {
  TierRuns runs{session.run(inputs, {.tier = Tier::kInterpreter}), 0, {}};
  for (const Tier tier : {Tier::kAny, Tier::kBucketed, Tier::kExact, Tier::kAuto}) {
    // Twice: sizes that are new to a plan, and sizes that it remembers.
    for (int time = 0; time < 2; ++time) {
      const auto actual = session.run(inputs, {.tier = tier});
      if (!actual && actual.error().code == ErrorCode::kUnsupported && tier != Tier::kAuto) {
        break;
      }
      runs.plan_tiers += time == 0 && tier != Tier::kAuto ? 1 : 0;
      const std::string wrong = compare(runs.interpreted, actual);
      if (!wrong.empty()) {
        runs.complaint = fmt::format("tier {}, time {}: {}", tier_name(tier), time + 1, wrong);
        return runs;
      }
    }
  }
  return runs;
}

}  // namespace pliant::testing
