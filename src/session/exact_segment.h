#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "interp/interpreter.h"
#include "plan/exact_values.h"
#include "session/segment_plans.h"

namespace pliant::session {

/// What a run says about the entries that a segment may want to be exact.
class RunValues {
 public:
  /// Copies what is needed, so that it can be asked after the run.
  RunValues(const Program& program, const interp::Execution& execution);

  [[nodiscard]] std::optional<std::int64_t> of(const plan::EntryKey& entry) const;

 private:
  std::vector<Shape> shapes_;                        ///< by input
  std::vector<std::vector<std::int64_t>> elements_;  ///< by input; empty where there are many
  std::vector<std::int64_t> symbols_;                ///< by symbol
};

/// A segment that goes on where the plan for all sizes has to end, because values of inputs decide
/// what follows: an axis, a rank, a 0 or -1 in a shape. Its plans hold for single values. Which
/// entries these are follows from the first values for which a plan is possible. Thread-safe.
class ExactSegment {
 public:
  /// All but the numbers is kept alive by the caller.
  ExactSegment(const plan::Stretch& stretch, plan::KnownRanks ranks,
               const plan::CompileOptions& options, std::string name, const Planning& planning);
  ExactSegment(const ExactSegment&) = delete;
  ExactSegment& operator=(const ExactSegment&) = delete;

  /// The segment's plans; null before the first values.
  [[nodiscard]] SegmentPlans* find() const { return plans_.load(std::memory_order_acquire); }
  /// The same, made now with these values if there are none. Null when they do not do; after many
  /// such values none are tried any more.
  SegmentPlans* compile(plan::ValueOf value_of);
  /// The same, by the background thread, with the values of a run.
  void request(const interp::Execution& execution);

 private:
  static constexpr int kMaxFailures = 16;

  [[nodiscard]] plan::CompiledSegment compile_for_values(const shapes::Box& box) const;

  const plan::Stretch stretch_;
  const plan::KnownRanks ranks_;
  const plan::CompileOptions options_;
  const std::string name_;
  const Planning& planning_;

  std::mutex compiling_;                       // held while the segment is made
  int failures_ = 0;                           // guarded by compiling_
  std::unique_ptr<SegmentPlans> owned_;        // guarded by compiling_
  std::atomic<SegmentPlans*> plans_{nullptr};  // of owned_, once that is complete
  std::atomic<bool> is_requested_{false};      // relaxed: a second request does no harm
};

}  // namespace pliant::session
