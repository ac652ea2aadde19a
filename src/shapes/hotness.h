#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "shapes/box.h"
#include "shapes/policy_options.h"

namespace pliant::shapes {

/// What one more run says about the box that its signature falls into.
enum class Heat : std::uint8_t {
  kCold,       ///< not worth a plan
  kTurnedHot,  ///< worth a plan since this run
  kHot,        ///< was worth a plan before, and nobody has settled it
  kSettled,    ///< somebody said that there is nothing left to do
};

/// Counts the runs of a segment per box and says when a box is worth a plan:
///
/// - after `min_compile_iters` runs in a row in the box, the last one included; or
/// - when the runs before this one, each weighed by 2^(-age / half_life_runs), are worth
///   `min_compile_iters`. A box that every n-th run falls into never gets there when
///   n > half_life_runs * log2(1 + 1 / min_compile_iters): by default, with less than 3.5 % of the
///   traffic.
///
/// A box that turned hot stays so until less than half of the wanted count is left, so that one at
/// the border is not new again and again.
///
/// Memory: at most `max_counted_boxes` boxes; when there are more, the colder half is forgotten.
/// Cost: a run in the box of the run before allocates nothing and looks nothing up.
/// Threads: none of its own; the owner guards it.
class Hotness {
 public:
  /// The boxes whose runs are counted.
  enum class Boxes : std::uint8_t {
    kBucketed,  ///< those that are worth a plan of their own
    kAnySize,   ///< the widest that a plan can have: they differ in what is always exact
  };
  Hotness(std::span<const Entry> entries, const PlanOptions& options,
          Boxes boxes = Boxes::kBucketed);

  struct Observation {
    Heat heat = Heat::kCold;
    /// The signature's box; valid until the next call.
    const Box* box = nullptr;
  };

  /// Counts a run.
  Observation record(Signature signature);

  /// The box needs no more attention: it was compiled, or declined for good. It stays so until it
  /// is forgotten. No effect on a box that is not counted.
  void settle(const Box& box);

  /// Drops the box's count, so that it has to turn hot again: its plan was evicted.
  void forget(const Box& box);

  [[nodiscard]] std::size_t counted_boxes() const { return counters_.size(); }

 private:
  struct Counter {
    double count = 0;            // decayed to the run `last_run`, that run included
    std::uint64_t last_run = 0;  // by number
    bool is_hot = false;
    bool is_settled = false;
  };
  using Counters = std::unordered_map<Box, Counter, BoxHash>;

  Counters::value_type& find_or_add(Signature signature);
  void forget_colder_half();
  [[nodiscard]] double decay(std::uint64_t runs) const;

  std::vector<Entry> entries_;
  Boxes boxes_;
  std::int64_t bucket_width_;
  double wanted_count_;
  std::uint64_t wanted_in_a_row_;
  double half_life_runs_;
  double decay_of_one_run_;
  std::size_t max_counted_boxes_;

  Counters counters_;
  Counters::value_type* last_ = nullptr;  // box of the run before; map nodes do not move
  std::uint64_t in_a_row_ = 0;            // runs in last_ since another box ran
  std::uint64_t run_ = 0;                 // number of the run that was recorded last
};

}  // namespace pliant::shapes
