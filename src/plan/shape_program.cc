#include "plan/shape_program.h"

#include <algorithm>

namespace pliant::plan {

using semantics::ExpressionKind;
using semantics::Extent;

ShapeProgram::ShapeProgram(std::span<const int> entry_symbols)
    : entry_count_(entry_symbols.size()) {
  for (std::size_t i = 0; i < entry_symbols.size(); ++i) {
    symbols_.push_back({entry_symbols[i], static_cast<int>(i)});
  }
}

std::optional<Slot> ShapeProgram::add(const Extent& extent) {
  if (extent.is_overflow()) {
    return std::nullopt;
  }
  if (extent.is_number()) {
    return Slot{-1, extent.number()};
  }
  const semantics::Expression& node = *extent.expression();
  if (node.kind == ExpressionKind::kSymbol) {
    const auto found = std::find_if(symbols_.begin(), symbols_.end(),
                                    [&](const auto& entry) { return entry.first == node.symbol; });
    return found == symbols_.end() ? std::nullopt : std::optional(Slot{found->second, 0});
  }
  const auto found = std::find_if(expressions_.begin(), expressions_.end(),
                                  [&](const auto& entry) { return entry.first == &node; });
  if (found != expressions_.end()) {
    return Slot{found->second, 0};
  }
  const auto lhs = add(node.lhs);
  const auto rhs = add(node.rhs);
  if (!lhs || !rhs) {
    return std::nullopt;
  }
  const int slot = static_cast<int>(slot_count());
  operations_.push_back({node.kind, *lhs, *rhs});
  expressions_.push_back({&node, slot});
  return Slot{slot, 0};
}

bool ShapeProgram::evaluate(shapes::Signature signature, std::span<std::int64_t> slots) const {
  std::copy(signature.begin(), signature.end(), slots.begin());
  std::size_t next = entry_count_;
  for (const Operation& operation : operations_) {
    const auto result =
        semantics::apply(operation.kind, operation.lhs.value(slots), operation.rhs.value(slots));
    if (!result) {
      return false;
    }
    slots[next++] = *result;
  }
  return true;
}

std::vector<Extent> ShapeProgram::expressions(std::span<const Extent> entries,
                                              semantics::ExpressionPool& pool) const {
  std::vector<Extent> slots(entries.begin(), entries.end());
  const auto extent_of = [&](const Slot& slot) {
    return slot.index < 0 ? Extent(slot.number) : slots[static_cast<std::size_t>(slot.index)];
  };
  for (const Operation& operation : operations_) {
    slots.push_back(pool.make(operation.kind, extent_of(operation.lhs), extent_of(operation.rhs)));
  }
  return slots;
}

}  // namespace pliant::plan
