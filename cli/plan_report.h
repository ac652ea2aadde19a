#pragma once

#include <string>
#include <vector>

#include <pliant/session.h>

namespace pliant::cli {

/// One line for each segment of a run: its instructions, and the tier and box of what executed them.
[[nodiscard]] std::string describe(const std::vector<SegmentRun>& segments);

/// Which tiers executed runs between two moments: "any", or with shares "any 40%, bucketed 60%".
/// "interpreter" when no segment was executed by a plan.
[[nodiscard]] std::string tiers_between(const PlanCounters& before, const PlanCounters& after);

/// What there is of plans and what became of compiling, on one or two lines.
[[nodiscard]] std::string describe(const PlanStatistics& statistics);

}  // namespace pliant::cli
