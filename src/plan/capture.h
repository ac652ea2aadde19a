#pragma once

#include <optional>
#include <vector>

#include "plan/decline_reason.h"
#include "plan/graph.h"
#include "plan/register_uses.h"

namespace pliant::plan {

/// Ranks of tensors that a segment may be given; empty where a rank is not known.
struct KnownRanks {
  std::vector<std::optional<std::size_t>> inputs;     ///< by Program::inputs
  std::vector<std::optional<std::size_t>> registers;  ///< by Program::registers
};
/// What the declarations say: ranks of inputs, nothing about registers.
[[nodiscard]] KnownRanks declared_ranks(const Program& program);

/// A segment, and why it ends where it ends.
struct Captured {
  Graph graph;  ///< instructions [graph.first, graph.end); empty if the first cannot be planned
  DeclineReason end_reason = DeclineReason::kNone;  ///< kNone: `limit` was reached
};

/// Reads instructions from `first` up to `limit`, or up to the first that no plan can hold, into a
/// graph: registers become values, size registers and shape arithmetic become expressions of the
/// segment's entries, and so do the elements of small integer tensors that follow from them.
/// QUERY_SHAPE, size arithmetic, loads, stores and moves leave no node.
///
/// No label may lead into [first + 1, limit). The program must have been verified and must outlive
/// the graph.
[[nodiscard]] Captured capture(const Program& program, const RegisterUses& uses, std::size_t first,
                               std::size_t limit, const KnownRanks& ranks);

}  // namespace pliant::plan
