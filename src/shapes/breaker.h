#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "shapes/box.h"
#include "shapes/policy_options.h"

namespace pliant::shapes {

enum class BreakerState : std::uint8_t {
  kClosed,    ///< compiling goes on
  kOpen,      ///< too many boxes were new: nothing is compiled
  kHalfOpen,  ///< calm again: one compile is tried, and its outcome decides
};

/// "closed", "open" or "half-open".
[[nodiscard]] const char* breaker_state_name(BreakerState state);

/// A change of state, for an event.
struct BreakerChange {
  BreakerState from = BreakerState::kClosed;
  BreakerState to = BreakerState::kClosed;
  /// New boxes and failures that the window holds, this one included; at most one above the limit.
  std::size_t recent = 0;
  /// The entry whose intervals differ most among them: the axis that jitters. None when they are
  /// all the same.
  std::optional<std::size_t> jittering_entry;
};

/// Stops compiling while a segment's traffic brings more new hot boxes than plans can be of use.
///
/// It opens when more than `breaker_new_boxes` boxes turned hot, or compiles failed, within
/// `breaker_window`. It goes on counting while it is open. When the window has held no more than
/// the limit for `breaker_calm_period`, it is half-open: one compile is let through. If that
/// succeeds it closes; if it fails it opens for another calm period.
///
/// The time is an argument and must not run backwards. Threads: none of its own; the owner guards
/// it. Memory: the newest `breaker_new_boxes` + 1 boxes.
class Breaker {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Breaker(const PlanOptions& options);

  struct Decision {
    bool may_compile = false;
    /// What changed. An open breaker can open again through half-open in one call; then only the
    /// last change is told.
    std::optional<BreakerChange> change;
  };

  /// A box turned hot: counts it and says whether it may be compiled. A caller that may compile
  /// has to call succeeded(), failed() or abandoned() some time after.
  [[nodiscard]] Decision admit_new(const Box& box, Time now);

  /// Asks again for a box that was refused; it is not counted a second time.
  [[nodiscard]] Decision admit_again(Time now);

  /// A compile that was admitted came to a result; one that was dropped for bringing nothing is
  /// one too.
  [[nodiscard]] std::optional<BreakerChange> succeeded(Time now);
  /// A compile that was admitted failed through no fault of the user.
  [[nodiscard]] std::optional<BreakerChange> failed(const Box& box, Time now);
  /// A compile that was admitted never ran.
  void abandoned() { is_trying_ = false; }

  /// The state as of the last call.
  [[nodiscard]] BreakerState state() const { return state_; }
  /// How often it opened.
  [[nodiscard]] std::uint64_t times_opened() const { return times_opened_; }

 private:
  struct Event {
    Time time;
    Box box;
  };

  [[nodiscard]] bool is_off() const { return limit_ == 0; }
  void count(const Box& box, Time now);
  [[nodiscard]] std::size_t recent(Time now) const;
  [[nodiscard]] bool is_calm(Time now) const;
  [[nodiscard]] std::optional<std::size_t> jittering_entry() const;
  [[nodiscard]] std::optional<BreakerChange> half_open_when_calm(Time now);
  [[nodiscard]] BreakerChange change_to(BreakerState state, Time now);
  [[nodiscard]] bool may_compile();

  std::size_t limit_;
  std::chrono::milliseconds window_;
  std::chrono::milliseconds calm_period_;

  BreakerState state_ = BreakerState::kClosed;
  bool is_trying_ = false;    // half-open, and the one compile was let through
  std::deque<Event> events_;  // the newest limit_ + 1, oldest first
  Time opened_;               // last time
  std::uint64_t times_opened_ = 0;
};

}  // namespace pliant::shapes
