#include "verify/output_facts.h"

#include <utility>

namespace pliant::verify {
namespace {

using semantics::Extent;

/// Whether an expression is made of the program's own symbols, which callers know by name.
bool has_name(const Extent& extent, std::size_t symbol_count) {
  const semantics::Expression* const expression = extent.expression();
  if (expression == nullptr) {
    return extent.is_number();
  }
  if (expression->kind == semantics::ExpressionKind::kSymbol) {
    return static_cast<std::size_t>(expression->symbol) < symbol_count;
  }
  return has_name(expression->lhs, symbol_count) && has_name(expression->rhs, symbol_count);
}

Dimension describe(const Extent& extent, std::size_t symbol_count) {
  if (extent.is_number()) {
    return {extent.number(), {}};
  }
  return {{}, has_name(extent, symbol_count) ? to_string(extent) : std::string()};
}

}  // namespace

void note_stored(Program& program, std::size_t output, const semantics::TensorFacts& facts) {
  OutputDeclaration& declaration = program.outputs[output];
  OutputInfo stored{declaration.name, facts.dtype, facts.rank_known, {}};
  if (facts.rank_known) {
    for (const Extent& extent : facts.shape) {
      stored.shape.push_back(describe(extent, program.symbols.size()));
    }
  }
  if (!declaration.found) {
    declaration.found = std::move(stored);
    return;
  }
  OutputInfo& found = *declaration.found;
  if (found.dtype != stored.dtype) {
    found.dtype.reset();
  }
  found.rank_known =
      found.rank_known && stored.rank_known && found.shape.size() == stored.shape.size();
  if (!found.rank_known) {
    found.shape.clear();
    return;
  }
  for (std::size_t axis = 0; axis < found.shape.size(); ++axis) {
    Dimension& dimension = found.shape[axis];
    if (dimension.extent != stored.shape[axis].extent ||
        dimension.symbol != stored.shape[axis].symbol) {
      dimension = {};
    }
  }
}

}  // namespace pliant::verify
