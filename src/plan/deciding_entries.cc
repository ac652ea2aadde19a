#include "plan/deciding_entries.h"

#include <algorithm>
#include <span>
#include <unordered_set>
#include <utility>

#include "isa/info.h"
#include "plan/operands.h"

namespace pliant::plan {

using isa::Form;
using semantics::Extent;

EntryKey key_of(const EntrySource& source, const std::vector<LiveIn>& live_ins) {
  const bool is_of_tensor =
      source.kind == EntrySource::Kind::kAxis || source.kind == EntrySource::Kind::kElement;
  if (!is_of_tensor) {
    return {source, {}};
  }
  return {{source.kind, 0, source.position}, live_ins[static_cast<std::size_t>(source.index)]};
}

/// Collects entries that extents mention.
class DecidingEntries::Search {
 public:
  Search(const Graph& graph, Reads reads) : graph_(graph), reads_(reads) {}

  void look_into(const Extent& extent, std::size_t operand) {
    const semantics::Expression* const node = extent.expression();
    if (node == nullptr || !seen_.insert(node).second) {
      return;
    }
    if (node->kind == semantics::ExpressionKind::kSymbol) {
      take(node->symbol, operand);
      return;
    }
    look_into(node->lhs, operand);
    look_into(node->rhs, operand);
  }

  void look_into(std::span<const Extent> extents, std::size_t operand) {
    for (const Extent& extent : extents) {
      look_into(extent, operand);
    }
  }

  void add(std::vector<DecidingEntry> entries, std::size_t operand) {
    for (DecidingEntry& entry : entries) {
      entry.operand = operand;
      found_.push_back(std::move(entry));
    }
  }

  std::vector<DecidingEntry> take_found() { return std::move(found_); }

 private:
  void take(int symbol, std::size_t operand) {
    const auto found = std::find(graph_.entry_symbols.begin(), graph_.entry_symbols.end(), symbol);
    if (found == graph_.entry_symbols.end()) {
      return;
    }
    const auto entry = static_cast<std::size_t>(found - graph_.entry_symbols.begin());
    const EntryKey key = key_of(graph_.entry_sources[entry], graph_.live_ins);
    using Kind = EntrySource::Kind;
    const bool is_element = key.source.kind == Kind::kElement;
    const bool is_extent = key.source.kind == Kind::kAxis || key.source.kind == Kind::kSymbol;
    const bool is_of_input =
        key.source.kind == Kind::kSymbol || key.live_in.kind == LiveIn::Kind::kProgramInput;
    if (is_of_input && (is_element || (is_extent && reads_ == Reads::kExtents))) {
      found_.push_back({key, graph_.entries[entry].name, operand});
    }
  }

  const Graph& graph_;
  const Reads reads_;
  std::unordered_set<const semantics::Expression*> seen_;
  std::vector<DecidingEntry> found_;
};

std::vector<DecidingEntry> DecidingEntries::in(const isa::Instruction& instruction,
                                               Reads reads) const {
  Search search(graph_, reads);
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  const bool reads_elements = reads != Reads::kRule || has_effect(instruction, isa::kReadsValues);
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const auto look = [&](const isa::Operand& operand) {
      if (operand.form == Form::kSymbol) {
        search.look_into(graph_.extents[static_cast<std::size_t>(operand.number)], i);
        return;
      }
      const bool is_value = operand.form == Form::kRegister || operand.form == Form::kElement;
      if (!is_value || row.operands[i].is_definition()) {
        return;
      }
      const Value& value = graph_.values[static_cast<std::size_t>(operand.number)];
      if (reads_elements && value.elements) {
        search.look_into(*value.elements, i);
      } else if (reads_elements) {
        search.add(behind_value(static_cast<int>(operand.number)), i);
      }
      if (reads == Reads::kExtents) {
        search.look_into(value.facts.shape, i);
      }
    };
    look(instruction.operands[i]);
    std::for_each(instruction.operands[i].list.begin(), instruction.operands[i].list.end(), look);
  }
  return search.take_found();
}

std::vector<DecidingEntry> DecidingEntries::in(std::span<const Extent> extents) const {
  Search search(graph_, Reads::kElements);
  search.look_into(extents, 0);
  return search.take_found();
}

void DecidingEntries::note_unfollowed(int result, const isa::Instruction& instruction) {
  std::vector<DecidingEntry> entries = in(instruction, Reads::kElements);
  if (!entries.empty()) {
    behind_.emplace(result, std::move(entries));
  }
}

std::vector<DecidingEntry> DecidingEntries::behind_value(int value) const {
  const auto found = behind_.find(value);
  return found == behind_.end() ? std::vector<DecidingEntry>() : found->second;
}

}  // namespace pliant::plan
