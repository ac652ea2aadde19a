#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "interp/interpreter.h"
#include "plan/exact_values.h"
#include "session/segment_plans.h"
#include "shapes/breaker.h"

namespace pliant::session {

/// A segment that goes on where the plan for all sizes has to end, because values of inputs decide
/// what follows: an axis, a rank, a 0 or -1 in a shape. Its plans hold for single values. Which
/// entries these are follows from the first values for which a plan is possible; when it is possible
/// for none of many that come one after the other, a breaker stops the trying, as it does elsewhere.
/// Thread-safe.
class ExactSegment {
 public:
  /// All but the numbers is kept alive by the caller.
  ExactSegment(const plan::Stretch& stretch, plan::KnownRanks ranks,
               const plan::CompileOptions& options, std::string name, const Planning& planning);
  ExactSegment(const ExactSegment&) = delete;
  ExactSegment& operator=(const ExactSegment&) = delete;

  /// How profiles, statistics and events call it.
  [[nodiscard]] const std::string& name() const { return name_; }

  /// The segment's plans; null before the first values for which one is possible.
  [[nodiscard]] SegmentPlans* find() const { return plans_.load(std::memory_order_acquire); }
  /// The same, made now with these values if there are none. Null when they do not do.
  SegmentPlans* compile(plan::ValueOf value_of);
  /// The segment as these values make it; nothing is kept of it. None when they do not do.
  [[nodiscard]] std::optional<plan::CompiledSegment> capture(plan::ValueOf value_of) const;

  /// What a run is given.
  struct Found {
    SegmentPlans* plans = nullptr;
    std::string_view reason;  ///< why there are none
  };
  /// For a run that takes what there is. Without plans they are made with its values, by this thread
  /// or in the background as the options say, while the breaker allows it.
  Found find_for(const interp::Execution& execution);
  /// For a run of a tier that was chosen by hand: they are made now, unless the session is sealed.
  Found demand_for(const interp::Execution& execution);

  /// Of the plans, and of what was tried before there were any. Empty if nothing was tried.
  [[nodiscard]] std::optional<SegmentStatistics> statistics() const;

 private:
  /// What a run is given if nothing is to be tried.
  [[nodiscard]] std::optional<Found> find_without_trying() const;
  [[nodiscard]] plan::CompiledSegment compile_for_values(const shapes::Box& box) const;
  /// With the values of a run, and with the breaker's leave.
  void try_values(plan::ValueOf value_of);
  [[nodiscard]] bool may_try();
  void tell(const std::optional<shapes::BreakerChange>& change) const;

  const plan::Stretch stretch_;
  const plan::KnownRanks ranks_;
  const plan::CompileOptions options_;
  const std::string name_;
  const Planning& planning_;

  std::mutex compiling_;                       // held while the segment is made
  std::unique_ptr<SegmentPlans> owned_;        // guarded by compiling_
  std::atomic<SegmentPlans*> plans_{nullptr};  // of owned_, once that is complete

  std::atomic<bool> is_trying_{false};  // relaxed: a second try does no harm
  SegmentCounters counters_;            // of what was tried
  mutable std::mutex breaking_;         // never held for long
  shapes::Breaker breaker_;             // guarded by breaking_
};

}  // namespace pliant::session
