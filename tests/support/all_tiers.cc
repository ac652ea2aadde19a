#include "support/all_tiers.h"

#include <fmt/format.h>

#include "support/bit_difference.h"

namespace pliant::testing {

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
      const std::string wrong = bit_difference(runs.interpreted, actual);
      if (!wrong.empty()) {
        runs.complaint = fmt::format("tier {}, time {}: {}", tier_name(tier), time + 1, wrong);
        return runs;
      }
    }
  }
  return runs;
}

}  // namespace pliant::testing
