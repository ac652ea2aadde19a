#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/function_ref.h"
#include "shapes/breaker.h"
#include "shapes/hotness.h"
#include "shapes/signature_counter.h"

namespace pliant::session {

/// What became of a compile.
enum class CompileOutcome : std::uint8_t {
  kPublished,
  kNoGain,       ///< it would do what the floor does
  kDeclined,     ///< no plan is possible for this box, now or later
  kFailed,       ///< something went wrong that may go right another time
  kQuarantined,  ///< the plan answered differently from the interpreter
};

/// A box that is worth a plan, and sizes inside that occurred.
struct HotBox {
  shapes::Box box;
  std::vector<std::int64_t> seen;  ///< of the run that made it hot
};

/// Watches the runs of one segment and says which boxes are to be compiled: hot ones, and the one for
/// any size where values are new without which there is none; one compile per box at a time, while
/// the breaker allows it. Records the traffic as well, if that is wanted.
/// Thread-safe.
class CompilePolicy {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// What is watched for.
  struct Wanted {
    bool compiles = true;  ///< boxes to compile
    bool profile = false;  ///< signatures by weight
    bool highest = false;  ///< the greatest sizes seen in each box, for checking plans
    /// Values of entries that are always exact, at first sight: nothing else covers them.
    bool exact_values = false;
  };

  CompilePolicy(std::span<const shapes::Entry> entries, const PlanOptions& options,
                const Wanted& wanted);

  struct Advice {
    std::optional<HotBox> compile;  ///< the caller has to call finished() some time after
    std::optional<shapes::BreakerChange> change;
  };
  /// A run begins. Boxes for which `holds` is true have a plan already.
  [[nodiscard]] Advice note_run(shapes::Signature signature,
                                FunctionRef<bool(const shapes::Box&)> holds);

  /// A compile that was advised came to this.
  [[nodiscard]] std::optional<shapes::BreakerChange> finished(const shapes::Box& box,
                                                              CompileOutcome outcome);

  /// The plan of a box has gone: it has to become hot anew.
  void evicted(const shapes::Box& box);

  /// The greatest value of each entry among the runs that fell into a bucketed box; empty if there
  /// were none, or nobody wanted to know.
  [[nodiscard]] std::vector<std::int64_t> highest_seen(const shapes::Box& box) const;

  struct State {
    shapes::BreakerState breaker = shapes::BreakerState::kClosed;
    std::uint64_t breaker_openings = 0;
    std::size_t counted_boxes = 0;
  };
  [[nodiscard]] State state() const;

  /// What was recorded so far; nothing in it unless that was wanted.
  [[nodiscard]] shapes::SegmentProfile profile(std::string_view segment_name) const;

 private:
  [[nodiscard]] Advice advise(shapes::Hotness& hotness, const shapes::Hotness::Observation& seen,
                              shapes::Signature signature,
                              FunctionRef<bool(const shapes::Box&)> holds);
  void settle(const shapes::Box& box);
  void note_highest(const shapes::Box& box, shapes::Signature signature);
  [[nodiscard]] bool is_in_flight(const shapes::Box& box) const;

  const Wanted wanted_;
  const std::vector<shapes::Entry> entries_;
  const std::size_t max_highest_;

  mutable std::mutex mutex_;
  // All guarded by mutex_.
  shapes::Hotness hotness_;
  std::optional<shapes::Hotness> exact_values_;  // hot at once
  shapes::Breaker breaker_;
  shapes::SignatureCounter traffic_;
  std::vector<shapes::Box> in_flight_;
  std::unordered_map<shapes::Box, std::vector<std::int64_t>, shapes::BoxHash> highest_;
};

}  // namespace pliant::session
