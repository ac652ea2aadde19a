#include "cli/plan_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "cli/terminal_text.h"

namespace pliant::cli {
namespace {

std::uint64_t declines(const PlanCounters& counters) {
  return std::accumulate(counters.declines.begin(), counters.declines.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& reason) { return sum + reason.second; });
}

}  // namespace

std::string describe(const std::vector<SegmentRun>& segments) {
  std::string text;
  for (const SegmentRun& segment : segments) {
    const std::size_t last = segment.end == 0 ? 0 : segment.end - 1;
    text += fmt::format("segment {}: instructions {}..{}, tier {}", segment.segment, segment.first,
                        last, tier_name(segment.tier));
    if (segment.tier == Tier::kInterpreter) {
      text += ", " + terminal_text(segment.reason);
    } else {
      text += ", box " + (segment.box.empty() ? "of one size" : terminal_text(segment.box));
    }
    text += '\n';
  }
  return text;
}

std::string tiers_between(const PlanCounters& before, const PlanCounters& after) {
  struct Share {
    Tier tier;
    std::uint64_t runs;
  };
  const Share shares[] = {
      {Tier::kExact, after.exact_runs - before.exact_runs},
      {Tier::kBucketed, after.bucketed_runs - before.bucketed_runs},
      {Tier::kAny, after.any_runs - before.any_runs},
      {Tier::kInterpreter,
       after.interpreted_runs - before.interpreted_runs + declines(after) - declines(before)},
  };
  std::uint64_t total = 0;
  for (const Share& share : shares) {
    total += share.runs;
  }
  if (total == 0) {
    return tier_name(Tier::kInterpreter);
  }
  std::vector<std::string> words;
  for (const Share& share : shares) {
    if (share.runs == total) {
      return tier_name(share.tier);
    }
    if (share.runs > 0) {
      words.push_back(
          fmt::format("{} {:.0f}%", tier_name(share.tier),
                      100.0 * static_cast<double>(share.runs) / static_cast<double>(total)));
    }
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string describe(const PlanStatistics& statistics) {
  const PlanCounters& total = statistics.total;
  std::string text =
      fmt::format("plans: {} in {:.1f} KiB and {} for any size in {:.1f} KiB; arenas {:.1f} MiB\n",
                  total.plans, static_cast<double>(total.plan_bytes) / 1024, total.floor_plans,
                  static_cast<double>(total.floor_bytes) / 1024,
                  static_cast<double>(statistics.arena_bytes) / (1 << 20));
  text += fmt::format(
      "compiles: {} in {:.2f} ms, {} without gain, {} failed, {} quarantined; {} evicted, breaker "
      "opened {} times\n",
      total.compiles, total.compile_seconds * 1e3, total.no_gain, total.failures, total.quarantined,
      total.evictions, total.breaker_openings);
  for (const auto& [reason, count] : total.declines) {
    text += fmt::format("left to the interpreter {} times: {}\n", count, reason);
  }
  return text;
}

}  // namespace pliant::cli
