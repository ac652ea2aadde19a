#include "plan/mark_facts.h"

#include <unordered_set>

namespace pliant::plan {
namespace {

using semantics::Expression;
using semantics::ExpressionKind;
using semantics::Extent;

class Marking {
 public:
  /// Looks for broadcasts anywhere in an extent.
  void look_into(const Extent& extent) {
    const Expression* node = extent.expression();
    if (node == nullptr || !seen_.insert(node).second) {
      return;
    }
    if (node->kind == ExpressionKind::kBroadcast) {
      mark(node->lhs);
      mark(node->rhs);
    }
    look_into(node->lhs);
    look_into(node->rhs);
  }

  [[nodiscard]] bool is_marked(int symbol) const { return symbols_.contains(symbol); }

 private:
  void mark(const Extent& extent) {
    const Expression* node = extent.expression();
    if (node == nullptr || !marked_.insert(node).second) {
      return;
    }
    if (node->kind == ExpressionKind::kSymbol) {
      symbols_.insert(node->symbol);
    }
    mark(node->lhs);
    mark(node->rhs);
  }

  std::unordered_set<const Expression*> seen_;
  std::unordered_set<const Expression*> marked_;
  std::unordered_set<int> symbols_;
};

}  // namespace

void mark_facts(Graph& graph) {
  Marking marking;
  for (const Value& value : graph.values) {
    for (const Extent& extent : value.facts.shape) {
      marking.look_into(extent);
    }
  }
  for (const Extent& extent : graph.extents) {
    marking.look_into(extent);
  }
  for (std::size_t i = 0; i < graph.entries.size(); ++i) {
    graph.entries[i].has_facts = graph.entries[i].kind == shapes::Entry::Kind::kExtent &&
                                 marking.is_marked(graph.entry_symbols[i]);
  }
}

}  // namespace pliant::plan
