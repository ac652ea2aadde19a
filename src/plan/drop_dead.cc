#include <algorithm>
#include <span>
#include <unordered_set>

#include "plan/operands.h"
#include "plan/passes.h"

namespace pliant::plan {
namespace {

using semantics::Extent;

/// Whether running the instruction may end in an error, which must not get lost: it checks elements,
/// and its result has not been followed, for which they had to be right.
bool may_fail(const Graph& graph, const isa::Instruction& instruction) {
  if (!has_effect(instruction, isa::kChecksValues)) {
    return false;
  }
  const int result = single_result(instruction);
  return result < 0 || !graph.values[static_cast<std::size_t>(result)].elements;
}

/// What is read, found from the end backwards.
class Reads {
 public:
  explicit Reads(const Graph& graph)
      : graph_(graph), values_(graph.values.size(), false), extents_(graph.extents.size(), false) {
    for (const LiveOut& out : graph.live_outs) {
      if (out.kind == LiveOut::Kind::kSizeRegister) {
        extents_[static_cast<std::size_t>(out.value)] = true;
      } else {
        values_[static_cast<std::size_t>(out.value)] = true;
      }
    }
  }

  /// True when something after it reads a result of the instruction; then its operands are read.
  bool visit(const isa::Instruction& instruction) {
    bool read = may_fail(graph_, instruction);
    for_each_definition(instruction, [&](const isa::Operand& operand) {
      read = read || (operand.given() && values_[static_cast<std::size_t>(operand.number)]);
    });
    if (!read) {
      return false;
    }
    for_each_use(instruction, [&](const isa::Operand& operand) {
      if (operand.form == isa::Form::kRegister) {
        values_[static_cast<std::size_t>(operand.number)] = true;
      }
    });
    for_each_extent(instruction, [&](const isa::Operand& operand) {
      extents_[static_cast<std::size_t>(operand.number)] = true;
    });
    return true;
  }

  [[nodiscard]] bool reads_value(std::size_t value) const { return values_[value]; }
  [[nodiscard]] bool reads_extent(std::size_t extent) const { return extents_[extent]; }

 private:
  const Graph& graph_;
  std::vector<bool> values_;
  std::vector<bool> extents_;
};

/// The symbols of expressions.
class Symbols {
 public:
  explicit Symbols(const Graph& graph)
      : marked_(static_cast<std::size_t>(graph.pool->symbol_count()), false) {}

  void mark(const Extent& extent) {
    const semantics::Expression* const node = extent.expression();
    if (node == nullptr || !seen_.insert(node).second) {
      return;
    }
    if (node->kind == semantics::ExpressionKind::kSymbol) {
      marked_[static_cast<std::size_t>(node->symbol)] = true;
      return;
    }
    mark(node->lhs);
    mark(node->rhs);
  }

  void mark_all(std::span<const Extent> extents) {
    for (const Extent& extent : extents) {
      mark(extent);
    }
  }

  [[nodiscard]] bool is_marked(int symbol) const {
    return marked_[static_cast<std::size_t>(symbol)];
  }

 private:
  std::vector<bool> marked_;
  std::unordered_set<const semantics::Expression*> seen_;
};

/// What a shape rule looks at.
void mark_rule(const Graph& graph, const isa::Instruction& rule, Symbols& symbols) {
  const bool reads_values = has_effect(rule, isa::kReadsValues);
  const auto mark_value = [&](const isa::Operand& operand) {
    const int index = value_in(operand);
    if (index < 0) {
      return;
    }
    const Value& value = graph.values[static_cast<std::size_t>(index)];
    symbols.mark_all(value.facts.shape);
    if (value.elements && reads_values) {
      symbols.mark_all(*value.elements);
    }
  };
  for_each_use(rule, mark_value);
  for_each_definition(rule, mark_value);
  for_each_extent(rule, [&](const isa::Operand& operand) {
    symbols.mark(graph.extents[static_cast<std::size_t>(operand.number)]);
  });
}

/// The symbols that a size or a value read by a rule depends on.
Symbols needed_symbols(const Graph& graph, const Reads& reads) {
  Symbols symbols(graph);
  for (std::size_t i = 0; i < graph.extents.size(); ++i) {
    if (reads.reads_extent(i)) {
      symbols.mark(graph.extents[i]);
    }
  }
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    if (reads.reads_value(i)) {
      symbols.mark_all(graph.values[i].facts.shape);
    }
  }
  for (const isa::Instruction& rule : graph.rules) {
    mark_rule(graph, rule, symbols);
  }
  for (const Condition& condition : graph.conditions) {
    symbols.mark(condition.extent);
  }
  return symbols;
}

/// Element entries that nothing needs go. Extents of live-ins stay: kernels depend on them.
void drop_entries(Graph& graph, const Reads& reads) {
  const Symbols symbols = needed_symbols(graph, reads);
  const bool is_exact = std::any_of(graph.entries.begin(), graph.entries.end(),
                                    [](const shapes::Entry& entry) { return entry.always_exact; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < graph.entries.size(); ++i) {
    // What is exact has decided what the graph is; graphs for other values may need other extents,
    // and have to have the same signature.
    const bool stays = graph.entries[i].always_exact ||
                       (is_exact && graph.entries[i].kind == shapes::Entry::Kind::kExtent);
    if (!symbols.is_marked(graph.entry_symbols[i]) && !stays) {
      continue;
    }
    if (kept != i) {
      graph.entries[kept] = std::move(graph.entries[i]);
      graph.entry_sources[kept] = graph.entry_sources[i];
      graph.entry_symbols[kept] = graph.entry_symbols[i];
    }
    ++kept;
  }
  graph.entries.resize(kept);
  graph.entry_sources.resize(kept);
  graph.entry_symbols.resize(kept);
}

void drop_live_ins(Graph& graph, const Reads& reads) {
  std::vector<int> position(graph.live_ins.size(), -1);
  std::vector<LiveIn> kept;
  const auto keep = [&](int index) {
    int& now = position[static_cast<std::size_t>(index)];
    if (now < 0) {
      now = static_cast<int>(kept.size());
      kept.push_back(graph.live_ins[static_cast<std::size_t>(index)]);
    }
  };
  for (const EntrySource& source : graph.entry_sources) {
    if (source.kind == EntrySource::Kind::kAxis || source.kind == EntrySource::Kind::kElement) {
      keep(source.index);
    }
  }
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    if (graph.values[i].kind == Value::Kind::kLiveIn && reads.reads_value(i)) {
      keep(graph.values[i].index);
    }
  }
  for (EntrySource& source : graph.entry_sources) {
    if (source.kind == EntrySource::Kind::kAxis || source.kind == EntrySource::Kind::kElement) {
      source.index = position[static_cast<std::size_t>(source.index)];
    }
  }
  for (Value& value : graph.values) {
    if (value.kind == Value::Kind::kLiveIn) {
      value.index = position[static_cast<std::size_t>(value.index)];  // -1: nobody asks for it
    }
  }
  graph.live_ins = std::move(kept);
}

}  // namespace

void drop_dead(Graph& graph) {
  Reads reads(graph);
  std::vector<Node> kept;
  kept.reserve(graph.nodes.size());
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    Node& node = graph.nodes[i];
    bool read = false;
    for (std::size_t member = node.instructions.size(); member-- > 0;) {
      read = reads.visit(node.instructions[member]) || read;
    }
    if (read) {
      kept.push_back(std::move(node));
    }
  }
  std::reverse(kept.begin(), kept.end());
  graph.nodes = std::move(kept);
}

void trim_signature(Graph& graph) {
  Reads reads(graph);
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    for (std::size_t member = graph.nodes[i].instructions.size(); member-- > 0;) {
      reads.visit(graph.nodes[i].instructions[member]);
    }
  }
  drop_entries(graph, reads);
  drop_live_ins(graph, reads);
}

}  // namespace pliant::plan
