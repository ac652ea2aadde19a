#include "session/segment_counters.h"

#include <algorithm>

namespace pliant::session {
namespace {

double seconds(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * 1e-9;
}

}  // namespace

void SegmentCounters::write(PlanCounters& out) const {
  const auto read = [](const Count& count) { return count.load(std::memory_order_relaxed); };
  out.interpreted_runs = read(interpreted_runs);
  const auto planned = [&](shapes::Breadth breadth) {
    return read(planned_runs[static_cast<std::size_t>(breadth)]);
  };
  out.exact_runs = planned(shapes::Breadth::kExact);
  out.bucketed_runs = planned(shapes::Breadth::kBucketed);
  out.any_runs = planned(shapes::Breadth::kAnySize);
  out.bound_runs = read(bound_runs);
  for (std::size_t i = 0; i < declines.size(); ++i) {
    if (const std::uint64_t times = read(declines[i]); times > 0) {
      out.declines.emplace_back(plan::to_string(static_cast<plan::DeclineReason>(i)), times);
    }
  }
  out.compiles = read(compiles);
  out.no_gain = read(no_gain);
  out.failures = read(failures);
  out.quarantined = read(quarantined);
  out.unchecked = read(unchecked);
  out.skipped_checks = read(skipped_checks);
  out.compile_seconds = seconds(read(compile_nanoseconds));
  out.check_seconds = seconds(read(check_nanoseconds));
}

void add_to(PlanCounters& total, const PlanCounters& more) {
  total.plans += more.plans;
  total.plan_bytes += more.plan_bytes;
  total.floor_plans += more.floor_plans;
  total.floor_bytes += more.floor_bytes;
  total.counted_boxes += more.counted_boxes;
  total.exact_runs += more.exact_runs;
  total.bucketed_runs += more.bucketed_runs;
  total.any_runs += more.any_runs;
  total.interpreted_runs += more.interpreted_runs;
  total.misses += more.misses;
  total.bound_runs += more.bound_runs;
  for (const auto& reason : more.declines) {
    const auto found = std::find_if(total.declines.begin(), total.declines.end(),
                                    [&](const auto& known) { return known.first == reason.first; });
    if (found == total.declines.end()) {
      total.declines.push_back(reason);
    } else {
      found->second += reason.second;
    }
  }
  total.compiles += more.compiles;
  total.no_gain += more.no_gain;
  total.failures += more.failures;
  total.quarantined += more.quarantined;
  total.unchecked += more.unchecked;
  total.skipped_checks += more.skipped_checks;
  total.evictions += more.evictions;
  total.compile_seconds += more.compile_seconds;
  total.check_seconds += more.check_seconds;
  total.breaker_openings += more.breaker_openings;
}

}  // namespace pliant::session
