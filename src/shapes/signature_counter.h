#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shapes/profile.h"
#include "shapes/signature.h"

namespace pliant::shapes {

/// Records the traffic of a segment: each distinct signature and how often it came.
///
/// Memory: at most `max_signatures`. When a new one has no room, the lightest quarter goes, of
/// equally light ones those not seen for longest, and their weight is remembered in sum.
/// Threads: none of its own; the owner guards it.
class SignatureCounter {
 public:
  /// `max_signatures` in 1..kMaxProfiledSignatures.
  SignatureCounter(std::span<const Entry> entries, std::size_t max_signatures);

  /// Counts a run. A signature that no profile may hold (an extent above kMaxProfiledExtent) only
  /// adds to the forgotten weight.
  void record(Signature signature);

  [[nodiscard]] std::size_t size() const { return seen_.size(); }

  /// What was recorded so far, heaviest first.
  [[nodiscard]] SegmentProfile profile(std::string_view segment_name) const;

 private:
  struct Seen {
    std::uint64_t weight = 0;
    std::uint64_t last_run = 0;
  };

  [[nodiscard]] bool may_be_profiled(Signature signature) const;
  void forget_lightest_quarter();

  std::vector<Entry> entries_;
  std::size_t max_signatures_;
  std::unordered_map<std::vector<std::int64_t>, Seen, SignatureHash, SignatureEqual> seen_;
  std::uint64_t run_ = 0;
  std::uint64_t forgotten_weight_ = 0;
};

}  // namespace pliant::shapes
