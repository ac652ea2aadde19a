#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "shapes/entry.h"
#include "shapes/interval.h"
#include "shapes/signature.h"

namespace pliant::shapes {

/// A set of signatures: one interval per entry of the segment. What a plan is compiled for.
struct Box {
  std::vector<Interval> intervals;

  /// False also for a signature of another number of entries.
  [[nodiscard]] bool contains(Signature signature) const;
  /// Whether it holds a single signature. True for a segment without entries.
  [[nodiscard]] bool is_exact() const;
  /// Log2 of how many signatures lie inside, nearly: of two boxes the lower is the narrower. What
  /// has no upper bound counts as about 63 bits.
  [[nodiscard]] double log_size() const;
  /// "batch 1, seq 113..128, width any"; `entries` are those of the box's segment.
  [[nodiscard]] std::string to_string(std::span<const Entry> entries) const;

  friend bool operator==(const Box&, const Box&) = default;
  /// Some total order, so that what is listed is listed the same way each time.
  friend auto operator<=>(const Box&, const Box&) = default;  // NOLINT(modernize-use-nullptr)
};

struct BoxHash {
  std::size_t operator()(const Box& box) const;
};

/// All values that an entry can have: the floor's interval.
[[nodiscard]] Interval any_interval(const Entry& entry);

/// Everything: extents 0..∞, elements -∞..∞, also of entries that plans want exact.
[[nodiscard]] Box any_box(std::span<const Entry> entries);

/// Any size, for what the signature says about the entries that are always exact: the widest box
/// that a plan can have.
[[nodiscard]] Box any_size_box(std::span<const Entry> entries, Signature signature);

/// The signature alone.
[[nodiscard]] Box exact_box(Signature signature);

}  // namespace pliant::shapes
