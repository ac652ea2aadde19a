#include "plan/exact_values.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace pliant::plan {
namespace {

using Values = std::vector<ExactValue>;

/// Whether an instruction becomes part of the graph when these values are known.
bool reaches_beyond(std::size_t instruction, const Stretch& stretch, const KnownRanks& ranks,
                    const Values& exact) {
  const Stretch up_to_it{stretch.program, stretch.uses, stretch.first, instruction + 1};
  return capture(up_to_it, ranks, exact).graph.end > instruction;
}

/// Values of entries that decide, by the operand that reads them.
struct Candidate {
  ExactValue value;
  std::size_t operand = 0;
};

Values with(Values exact, const std::vector<Candidate>& candidates) {
  for (const Candidate& candidate : candidates) {
    const bool is_known = std::any_of(exact.begin(), exact.end(), [&](const ExactValue& value) {
      return value.entry == candidate.value.entry;
    });
    if (!is_known) {
      exact.push_back(candidate.value);
    }
  }
  return exact;
}

std::vector<Candidate> without(std::vector<Candidate> candidates, std::size_t operand) {
  std::erase_if(candidates,
                [&](const Candidate& candidate) { return candidate.operand == operand; });
  return candidates;
}

}  // namespace

Values find_exact_values(const Stretch& stretch, const KnownRanks& ranks, ValueOf value_of) {
  Values exact;
  for (;;) {
    const Captured captured = capture(stretch, ranks, exact);
    std::vector<Candidate> candidates;
    for (const DecidingEntry& entry : captured.deciding) {
      if (const auto value = value_of(entry)) {
        candidates.push_back({{entry.entry, *value}, entry.operand});
      }
    }
    const std::size_t end = captured.graph.end;
    if (candidates.empty() || !reaches_beyond(end, stretch, ranks, with(exact, candidates))) {
      return exact;
    }
    // An operand may be read and yet decide nothing: bounds of a slice beside its axes.
    for (const DecidingEntry& entry : captured.deciding) {
      std::vector<Candidate> fewer = without(candidates, entry.operand);
      if (reaches_beyond(end, stretch, ranks, with(exact, fewer))) {
        candidates = std::move(fewer);
      }
    }
    exact = with(std::move(exact), candidates);
  }
}

Values exact_values_in(const shapes::Box& box, const Graph& graph) {
  Values exact;
  for (std::size_t i = 0; i < graph.entries.size(); ++i) {
    if (graph.entries[i].always_exact) {
      exact.push_back({key_of(graph.entry_sources[i], graph.live_ins), box.intervals[i].low});
    }
  }
  return exact;
}

shapes::Box any_size_box(const Graph& graph, std::span<const ExactValue> exact) {
  shapes::Box box = shapes::any_box(graph.entries);
  for (std::size_t i = 0; i < graph.entries.size(); ++i) {
    if (!graph.entries[i].always_exact) {
      continue;
    }
    const EntryKey key = key_of(graph.entry_sources[i], graph.live_ins);
    const auto value = std::find_if(exact.begin(), exact.end(),
                                    [&](const ExactValue& known) { return known.entry == key; });
    PLIANT_CHECK(value != exact.end());
    box.intervals[i] = shapes::Interval::exactly(value->value);
  }
  return box;
}

bool same_signature(const Graph& a, const Graph& b) {
  const auto same_entry = [](const shapes::Entry& x, const shapes::Entry& y) {
    return x.name == y.name && x.kind == y.kind && x.always_exact == y.always_exact;
  };
  return a.live_ins == b.live_ins && a.entry_sources == b.entry_sources &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                    same_entry);
}

}  // namespace pliant::plan
