#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "plan/graph.h"

namespace pliant::plan {

/// An entry by what it is, whatever graph it stands in.
struct EntryKey {
  EntrySource source;  ///< of an axis or an element: `index` is 0, and
  LiveIn live_in;      ///< this is the tensor

  friend bool operator==(const EntryKey&, const EntryKey&) = default;
};
[[nodiscard]] EntryKey key_of(const EntrySource& source, const std::vector<LiveIn>& live_ins);

/// The value of an entry that a segment is compiled for: a number in place of a symbol.
struct ExactValue {
  EntryKey entry;
  std::int64_t value = 0;
};

/// An entry that has to be known before an instruction can be part of a plan.
struct DecidingEntry {
  EntryKey entry;
  std::string name;
  std::size_t operand = 0;  ///< the position at which the instruction reads it, if known
};

/// Looks for entries whose values decide what instructions that could not be captured are like:
/// elements of program inputs, since only inputs are there before the segment begins, and extents
/// where a rank depends on them.
class DecidingEntries {
 public:
  /// The graph must outlive this.
  explicit DecidingEntries(const Graph& graph) : graph_(graph) {}

  /// What an instruction, or what is said of its results, may depend on.
  enum class Reads : std::uint8_t {
    kRule,      ///< sizes, and elements where its rule reads them
    kElements,  ///< sizes and all elements
    kExtents,   ///< the same, and the extents of its operands
  };
  /// Entries that the operands of an instruction mention.
  [[nodiscard]] std::vector<DecidingEntry> in(const isa::Instruction& instruction,
                                              Reads reads) const;
  /// Elements that extents mention.
  [[nodiscard]] std::vector<DecidingEntry> in(std::span<const semantics::Extent> extents) const;

  /// Elements of a small result could not be followed: whoever needs them wants to know what the
  /// instruction reads.
  void note_unfollowed(int result, const isa::Instruction& instruction);
  /// Behind the elements of a value that could not be followed.
  [[nodiscard]] std::vector<DecidingEntry> behind_value(int value) const;

 private:
  class Search;

  const Graph& graph_;
  std::unordered_map<int, std::vector<DecidingEntry>> behind_;  ///< by value
};

}  // namespace pliant::plan
