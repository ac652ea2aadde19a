#include <unordered_map>

#include "plan/extent_bounds.h"
#include "plan/operands.h"
#include "plan/passes.h"

namespace pliant::plan {
namespace {

using semantics::ExpressionKind;
using semantics::Extent;

/// Writes expressions of one pool anew in another, where some entries are numbers and others lie in
/// known intervals.
class Rewriting {
 public:
  Rewriting(Graph& graph, const shapes::Box& box)
      : old_pool_(graph.pool),
        pool_(std::make_shared<semantics::ExpressionPool>()),
        bounds_(make_entries(graph, box)) {
    graph.pool = pool_;
  }

  Extent rewrite(const Extent& extent) {
    if (extent.expression() == nullptr) {
      return extent;
    }
    const auto found = known_.find(extent.expression());
    if (found != known_.end()) {
      return found->second;
    }
    const Extent result = rewrite_node(*extent.expression());
    known_.emplace(extent.expression(), result);
    return result;
  }

 private:
  /// Entries become symbols 0, 1, … of the new pool, or numbers. Returns their intervals.
  std::vector<shapes::Interval> make_entries(Graph& graph, const shapes::Box& box) {
    for (std::size_t i = 0; i < graph.entries.size(); ++i) {
      const bool extent = graph.entries[i].kind == shapes::Entry::Kind::kExtent;
      const Extent symbol = extent ? pool_->new_symbol(graph.entries[i].name)
                                   : pool_->new_value_symbol(graph.entries[i].name);
      const shapes::Interval& interval = box.intervals[i];
      symbols_.emplace(graph.entry_symbols[i], interval.is_exact() ? Extent(interval.low) : symbol);
      graph.entry_symbols[i] = symbol.expression()->symbol;
    }
    return box.intervals;
  }

  Extent rewrite_node(const semantics::Expression& node) {
    if (node.kind == ExpressionKind::kSymbol) {
      const auto found = symbols_.find(node.symbol);
      if (found != symbols_.end()) {
        return found->second;
      }
      const std::string name = old_pool_->symbol_name(node.symbol);
      return node.any_sign ? pool_->new_value_symbol(name) : pool_->new_symbol(name);
    }
    const Extent a = rewrite(node.lhs);
    const Extent b = rewrite(node.rhs);
    switch (node.kind) {
      case ExpressionKind::kAdd:
        return a + b;
      case ExpressionKind::kSubtract:
        return a - b;
      case ExpressionKind::kMultiply:
        return a * b;
      case ExpressionKind::kFloorDivide:
        return semantics::floor_divide(a, b);
      case ExpressionKind::kQuotient:
        return bounds_.of(a).low >= 0 && bounds_.of(b).low >= 0 ? semantics::floor_divide(a, b)
                                                                : semantics::quotient(a, b);
      case ExpressionKind::kModulo:
        return semantics::modulo(a, b);
      case ExpressionKind::kMinimum:
        return smaller(a, b) ? a : smaller(b, a) ? b : semantics::minimum(a, b);
      case ExpressionKind::kMaximum:
        return smaller(a, b) ? b : smaller(b, a) ? a : semantics::maximum(a, b);
      case ExpressionKind::kBroadcast:
        // Whoever is not 1 is the result; that the other fits is checked when a run starts.
        return bounds_.of(a).low >= 2 ? a : bounds_.of(b).low >= 2 ? b : semantics::broadcast(a, b);
      case ExpressionKind::kFromEnd:
        return bounds_.of(a).low >= 0 ? a : semantics::from_end(a, b);
      case ExpressionKind::kSymbol:
        break;
    }
    return Extent::overflow();
  }

  /// a <= b for everything in the box.
  bool smaller(const Extent& a, const Extent& b) { return bounds_.of(a).high <= bounds_.of(b).low; }

  std::shared_ptr<semantics::ExpressionPool> old_pool_;
  std::shared_ptr<semantics::ExpressionPool> pool_;
  std::unordered_map<int, Extent> symbols_;  ///< by symbol of the old pool
  ExtentBounds bounds_;
  std::unordered_map<const semantics::Expression*, Extent> known_;
};

/// Sizes that have become numbers are written as such.
void write_numbers(const Graph& graph, isa::Instruction& instruction) {
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  const auto write = [&](isa::Operand& operand) {
    if (operand.form == isa::Form::kSymbol &&
        graph.extents[static_cast<std::size_t>(operand.number)].is_number()) {
      operand = isa::number(graph.extents[static_cast<std::size_t>(operand.number)].number());
    }
  };
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (reads_tensors(row.operands[i].kind)) {
      continue;
    }
    write(instruction.operands[i]);
    for (isa::Operand& item : instruction.operands[i].list) {
      write(item);
    }
  }
}

}  // namespace

void specialise(Graph& graph, const shapes::Box& box) {
  Rewriting rewriting(graph, box);
  for (Extent& extent : graph.extents) {
    extent = rewriting.rewrite(extent);
  }
  for (Value& value : graph.values) {
    for (Extent& extent : value.facts.shape) {
      extent = rewriting.rewrite(extent);
    }
    if (value.elements) {
      for (Extent& element : *value.elements) {
        element = rewriting.rewrite(element);
      }
    }
  }
  for (Condition& condition : graph.conditions) {
    condition.extent = rewriting.rewrite(condition.extent);
  }
  for (Node& node : graph.nodes) {
    for (isa::Instruction& instruction : node.instructions) {
      write_numbers(graph, instruction);
    }
  }
  for (isa::Instruction& rule : graph.rules) {
    write_numbers(graph, rule);
  }
}

}  // namespace pliant::plan
