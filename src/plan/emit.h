#pragma once

#include <memory>
#include <optional>

#include "base/cpu_features.h"
#include "plan/decline_reason.h"
#include "plan/plan.h"

namespace pliant::plan {

/// Turns a graph into a plan for a box: a straight list of steps. The last stage of compiling.
/// Null, with the reason, when an extent cannot be computed from the entries.
[[nodiscard]] std::shared_ptr<const Plan> emit(Graph graph, shapes::Box box, CpuLevel level,
                                               DeclineReason& reason);

}  // namespace pliant::plan
