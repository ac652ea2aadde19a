#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "semantics/extent.h"
#include "shapes/signature.h"

namespace pliant::plan {

/// A whole number of a run: a slot of the shape program, or a number.
struct Slot {
  int index = -1;  ///< -1: `number`
  std::int64_t number = 0;

  [[nodiscard]] std::int64_t value(std::span<const std::int64_t> slots) const {
    return index < 0 ? number : slots[static_cast<std::size_t>(index)];
  }
};

/// Expressions over a segment's entries as a list of operations: what of sizes is left to compute
/// when a run starts. Equal expressions share a slot. Immutable once built.
class ShapeProgram {
 public:
  /// `entry_symbols` says which symbol of the pool each entry of a signature is.
  explicit ShapeProgram(std::span<const int> entry_symbols);

  /// The slot of an expression; empty if it has a symbol that is no entry, or overflows.
  [[nodiscard]] std::optional<Slot> add(const semantics::Extent& extent);

  /// Fills `slots` (slot_count() of them); false on overflow or division by zero.
  [[nodiscard]] bool evaluate(shapes::Signature signature, std::span<std::int64_t> slots) const;

  /// What each slot stands for, as expressions of `pool`, given what the entries are there.
  [[nodiscard]] std::vector<semantics::Extent> expressions(
      std::span<const semantics::Extent> entries, semantics::ExpressionPool& pool) const;

  [[nodiscard]] std::size_t slot_count() const { return entry_count_ + operations_.size(); }
  [[nodiscard]] std::size_t byte_size() const { return operations_.size() * sizeof(Operation); }

 private:
  struct Operation {
    semantics::ExpressionKind kind = semantics::ExpressionKind::kAdd;
    Slot lhs;
    Slot rhs;
  };
  std::size_t entry_count_ = 0;
  std::vector<Operation> operations_;  ///< operation i computes slot entry_count_ + i
  // For building:
  std::vector<std::pair<int, int>> symbols_;                               ///< symbol, slot
  std::vector<std::pair<const semantics::Expression*, int>> expressions_;  ///< node, slot
};

}  // namespace pliant::plan
