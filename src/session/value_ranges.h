#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "program/program.h"
#include "shapes/interval.h"
#include "shapes/profile.h"

namespace pliant::session {

/// The least and the greatest element that each integer input of a program had: what made-up inputs
/// have to keep to, for example token numbers below the size of a vocabulary. Thread-safe.
class ValueRanges {
 public:
  /// Longer inputs are not looked into.
  static constexpr std::int64_t kMaxElements = 65'536;

  /// The program must outlive this.
  explicit ValueRanges(const Program& program);

  /// Looks at the inputs of a run, in the program's order.
  void note(std::span<const StoredTensor> inputs);
  /// Takes over what another session saw.
  void widen(const shapes::ValueRange& range);

  /// By input; none before there was an element.
  [[nodiscard]] std::optional<shapes::Interval> of(std::size_t input) const;
  [[nodiscard]] std::vector<shapes::ValueRange> all() const;

 private:
  struct Range {
    // Relaxed: each is a fact of its own. An empty range is the wrong way round.
    std::atomic<std::int64_t> low{std::numeric_limits<std::int64_t>::max()};
    std::atomic<std::int64_t> high{std::numeric_limits<std::int64_t>::min()};
  };
  static void widen(Range& range, std::int64_t low, std::int64_t high);

  const Program& program_;
  std::vector<Range> ranges_;  ///< by input
};

}  // namespace pliant::session
