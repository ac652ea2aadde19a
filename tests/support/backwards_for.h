#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "threads/parallel_for.h"

namespace pliant::testing {

/// Runs a loop as no pool would: the last piece first, by three pretended workers in turn. A kernel
/// gives the same bits as with SerialFor.
class BackwardsFor final : public ParallelFor {
 public:
  /// Pieces are as large as the grain asks for, but never larger than `largest_piece`: 1 cuts
  /// everywhere, even where a pool would not.
  explicit BackwardsFor(std::int64_t largest_piece = std::numeric_limits<std::int64_t>::max())
      : largest_piece_(largest_piece) {}

  [[nodiscard]] int worker_count() const override { return 3; }

  void run(std::int64_t count, std::int64_t grain, Body body) override {
    const std::int64_t piece = std::clamp<std::int64_t>(grain, 1, largest_piece_);
    for (std::int64_t index = (count + piece - 1) / piece; index-- > 0;) {
      body(index * piece, std::min(count, (index + 1) * piece), static_cast<int>(index % 3));
    }
  }

 private:
  std::int64_t largest_piece_;
};

}  // namespace pliant::testing
