#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/function_ref.h"
#include "plan/capture.h"
#include "shapes/box.h"

namespace pliant::plan {

/// The values of a run; none where it has no such entry.
using ValueOf = FunctionRef<std::optional<std::int64_t>(const DecidingEntry&)>;

/// The entries that have to be exact for a segment to go on where it would end by kExactValue, with
/// the values that a run has; as few as will do. Empty if these values do not help.
[[nodiscard]] std::vector<ExactValue> find_exact_values(const Stretch& stretch,
                                                        const KnownRanks& ranks, ValueOf value_of);

/// The values of the entries that are always exact, which a box of the graph's entries says.
[[nodiscard]] std::vector<ExactValue> exact_values_in(const shapes::Box& box, const Graph& graph);

/// Any size, except for entries that are exact.
[[nodiscard]] shapes::Box any_size_box(const Graph& graph, std::span<const ExactValue> exact);

/// Whether signatures and live-ins of one graph are those of the other.
[[nodiscard]] bool same_signature(const Graph& a, const Graph& b);

}  // namespace pliant::plan
