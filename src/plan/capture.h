#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plan/deciding_entries.h"
#include "plan/graph.h"
#include "plan/register_uses.h"

namespace pliant::plan {

/// Ranks of tensors that a segment may be given; empty where a rank is not known.
struct KnownRanks {
  std::vector<std::optional<std::size_t>> inputs;     ///< by Program::inputs
  std::vector<std::optional<std::size_t>> registers;  ///< by Program::registers
};
/// What the declarations of inputs say, and the verifier of registers.
[[nodiscard]] KnownRanks declared_ranks(const Program& program);

/// Instructions to make a graph of.
struct Stretch {
  const Program& program;
  const RegisterUses& uses;
  std::size_t first = 0;
  std::size_t limit = 0;  ///< no label may lead into [first + 1, limit)
};

/// A segment, and what would make it longer.
struct Captured {
  Graph graph;  ///< instructions [graph.first, graph.end); empty if the first cannot be planned
  /// kExactValue: what the next instruction wants to know.
  std::vector<DecidingEntry> deciding;
};

/// Reads instructions up to the limit, or up to the first that no plan can hold, into a graph: registers become values, size registers and shape arithmetic become expressions of the
/// segment's entries, and so do the elements of small integer tensors that follow from them.
/// QUERY_SHAPE, size arithmetic, loads, stores and moves leave no node.
///
/// Entries in `exact` are numbers, and the graph is right for these numbers alone.
///
/// The program must have been verified and must outlive the graph.
[[nodiscard]] Captured capture(const Stretch& stretch, const KnownRanks& ranks,
                               std::span<const ExactValue> exact);

}  // namespace pliant::plan
