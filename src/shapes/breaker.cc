#include "shapes/breaker.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/check.h"

namespace pliant::shapes {

const char* breaker_state_name(BreakerState state) {
  constexpr std::array<const char*, 3> kNames = {"closed", "open", "half-open"};
  return kNames[static_cast<std::size_t>(state)];
}

Breaker::Breaker(const PlanOptions& options)
    : limit_(options.breaker_new_boxes),
      window_(options.breaker_window),
      calm_period_(options.breaker_calm_period) {
  PLIANT_CHECK(check_options(options).has_value());
}

Breaker::Decision Breaker::admit_new(const Box& box, Time now) {
  if (is_off()) {
    return {true, std::nullopt};
  }
  // Before this box is counted: calm that came to an end only now was calm.
  std::optional<BreakerChange> change = half_open_when_calm(now);
  count(box, now);
  if (state_ != BreakerState::kOpen && recent(now) > limit_) {
    change = change_to(BreakerState::kOpen, now);
  }
  return {may_compile(), std::move(change)};
}

Breaker::Decision Breaker::admit_again(Time now) {
  if (is_off()) {
    return {true, std::nullopt};
  }
  std::optional<BreakerChange> change = half_open_when_calm(now);
  return {may_compile(), std::move(change)};
}

std::optional<BreakerChange> Breaker::succeeded(Time now) {
  // Only the compile that was let through closes it, not one from before it opened.
  if (state_ != BreakerState::kHalfOpen || !is_trying_) {
    return std::nullopt;
  }
  return change_to(BreakerState::kClosed, now);
}

std::optional<BreakerChange> Breaker::failed(const Box& box, Time now) {
  if (is_off()) {
    return std::nullopt;
  }
  count(box, now);
  const bool was_the_try = state_ == BreakerState::kHalfOpen && is_trying_;
  if (was_the_try || (state_ != BreakerState::kOpen && recent(now) > limit_)) {
    return change_to(BreakerState::kOpen, now);
  }
  return std::nullopt;
}

void Breaker::count(const Box& box, Time now) {
  events_.push_back({now, box});
  if (events_.size() > limit_ + 1) {
    events_.pop_front();
  }
}

std::size_t Breaker::recent(Time now) const {
  std::size_t recent = 0;
  for (const Event& event : events_) {
    recent += now - event.time <= window_ ? 1 : 0;
  }
  return recent;
}

// The window holds more than the limit for as long as it holds the oldest of the newest limit + 1.
bool Breaker::is_calm(Time now) const {
  const bool was_stormy = events_.size() > limit_;
  const Time storm_end = was_stormy ? std::max(opened_, events_.front().time + window_) : opened_;
  return now > storm_end && now - storm_end >= calm_period_;
}

std::optional<std::size_t> Breaker::jittering_entry() const {
  std::optional<std::size_t> most;
  std::size_t most_distinct = 1;
  const std::size_t entries = events_.empty() ? 0 : events_.front().box.intervals.size();
  for (std::size_t i = 0; i < entries; ++i) {
    std::vector<Interval> intervals;
    for (const Event& event : events_) {
      if (i < event.box.intervals.size()) {
        intervals.push_back(event.box.intervals[i]);
      }
    }
    std::sort(intervals.begin(), intervals.end());
    const auto distinct = static_cast<std::size_t>(std::unique(intervals.begin(), intervals.end()) -
                                                   intervals.begin());
    if (distinct > most_distinct) {
      most = i;
      most_distinct = distinct;
    }
  }
  return most;
}

std::optional<BreakerChange> Breaker::half_open_when_calm(Time now) {
  if (state_ != BreakerState::kOpen || !is_calm(now)) {
    return std::nullopt;
  }
  return change_to(BreakerState::kHalfOpen, now);
}

BreakerChange Breaker::change_to(BreakerState state, Time now) {
  BreakerChange change{state_, state, recent(now), jittering_entry()};
  state_ = state;
  is_trying_ = false;
  if (state == BreakerState::kOpen) {
    opened_ = now;
    ++times_opened_;
  }
  return change;
}

bool Breaker::may_compile() {
  if (state_ == BreakerState::kHalfOpen) {
    return !std::exchange(is_trying_, true);
  }
  return state_ == BreakerState::kClosed;
}

}  // namespace pliant::shapes
