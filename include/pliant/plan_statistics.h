#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <pliant/plan_options.h>

namespace pliant {

/// What has become of runs and plans since the session began. A "run" here is one execution of one
/// segment; most programs have one segment.
struct PlanCounters {
  // Held now
  std::size_t plans = 0;  ///< floors left out
  std::size_t plan_bytes = 0;
  std::size_t floor_plans = 0;
  std::size_t floor_bytes = 0;
  std::size_t counted_boxes = 0;  ///< whose runs are being counted

  // Runs
  std::uint64_t exact_runs = 0;  ///< executed by an exact plan, and so on
  std::uint64_t bucketed_runs = 0;
  std::uint64_t any_runs = 0;
  std::uint64_t interpreted_runs = 0;
  std::uint64_t misses = 0;      ///< no plan covered the sizes
  std::uint64_t bound_runs = 0;  ///< sizes that a plan had to be laid out for, being new to it
  /// Runs that a plan gave up or was not tried for, and the interpreter took over, by reason; reasons
  /// that occurred only.
  std::vector<std::pair<std::string, std::uint64_t>> declines;

  // Compiling
  std::uint64_t compiles = 0;        ///< plans that came out, dropped and quarantined ones included
  std::uint64_t no_gain = 0;         ///< dropped since they would do what the floor does
  std::uint64_t failures = 0;        ///< nothing came out
  std::uint64_t quarantined = 0;     ///< answered differently from the interpreter; never used
  std::uint64_t unchecked = 0;       ///< published although no point could be checked
  std::uint64_t skipped_checks = 0;  ///< points that cost too much or failed in both tiers alike
  std::uint64_t evictions = 0;
  double compile_seconds = 0;
  double check_seconds = 0;
  std::uint64_t breaker_openings = 0;
};

/// A plan that a segment has.
struct PlanInfo {
  Tier tier = Tier::kAny;
  std::string box;  ///< "batch 1, seq 113..128"
  bool is_floor = false;
  std::size_t bytes = 0;  ///< with the layouts that are remembered for it
};

/// A stretch of the program that plans execute, for one set of ranks.
struct SegmentStatistics {
  std::string name;       ///< as profiles call it: "0", with ranks "12/2,3", or "0 by value"
  std::size_t first = 0;  ///< instructions [first, end) of the program
  std::size_t end = 0;
  std::vector<std::string> entries;  ///< names of the sizes that boxes are about
  std::string end_reason;            ///< why it ends where it ends; empty at the program's end
  std::vector<PlanInfo> plans;       ///< the preferred first
  std::string breaker;               ///< "closed", "open" or "half-open"
  PlanCounters counters;
};

/// The state of everything that plans are about.
struct PlanStatistics {
  PlanCounters total;
  std::vector<SegmentStatistics> segments;  ///< by first instruction
  std::size_t pending_compiles = 0;         ///< waiting for the background thread or in it
  std::size_t arena_bytes = 0;   ///< memory for tensors inside plans that no run uses at the moment
  std::size_t layout_bytes = 0;  ///< layouts remembered for sizes seen last
};

}  // namespace pliant
