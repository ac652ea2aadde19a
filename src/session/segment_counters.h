#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include <pliant/plan_statistics.h>

#include "plan/decline_reason.h"
#include "shapes/breadth.h"

namespace pliant::session {

/// Counts what happens to the runs and plans of a segment, from any thread.
struct SegmentCounters {
  // Relaxed everywhere: read for statistics only.
  using Count = std::atomic<std::uint64_t>;

  Count interpreted_runs{0};
  std::array<Count, shapes::kBreadthCount> planned_runs{};  ///< by breadth of the plan
  Count bound_runs{0};
  std::array<Count, plan::kDeclineReasonCount> declines{};

  Count compiles{0};
  Count no_gain{0};
  Count failures{0};
  Count quarantined{0};
  Count unchecked{0};
  Count skipped_checks{0};
  Count compile_nanoseconds{0};
  Count check_nanoseconds{0};

  static void add(Count& count, std::uint64_t more = 1) {
    count.fetch_add(more, std::memory_order_relaxed);
  }
  void declined(plan::DeclineReason reason) {
    add(declines[static_cast<std::size_t>(reason)]);
    add(interpreted_runs);
  }

  void planned(shapes::Breadth breadth) { add(planned_runs[static_cast<std::size_t>(breadth)]); }

  /// Writes the counts to where users read them.
  void write(PlanCounters& out) const;
};

/// Adds the counts of one segment to those of all.
void add_to(PlanCounters& total, const PlanCounters& more);

}  // namespace pliant::session
