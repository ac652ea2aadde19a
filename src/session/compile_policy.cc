#include "session/compile_policy.h"

#include <algorithm>

namespace pliant::session {

using shapes::Box;
using shapes::BreakerChange;
using shapes::Heat;
using shapes::Signature;

namespace {

PlanOptions at_first_sight(PlanOptions options) {
  options.min_compile_iters = 1;
  return options;
}

}  // namespace

CompilePolicy::CompilePolicy(std::span<const shapes::Entry> entries, const PlanOptions& options,
                             const Wanted& wanted)
    : wanted_(wanted),
      entries_(entries.begin(), entries.end()),
      max_highest_(options.max_counted_boxes),
      hotness_(entries, options),
      breaker_(options),
      traffic_(entries, options.max_profile_signatures) {
  if (wanted.exact_values) {
    exact_values_.emplace(entries, at_first_sight(options), shapes::Hotness::Boxes::kAnySize);
  }
}

CompilePolicy::Advice CompilePolicy::note_run(Signature signature,
                                              FunctionRef<bool(const Box&)> holds) {
  const std::lock_guard lock(mutex_);
  if (wanted_.profile) {
    traffic_.record(signature);
  }
  if (!wanted_.compiles) {
    return {};
  }
  const shapes::Hotness::Observation seen = hotness_.record(signature);
  if (wanted_.highest) {
    note_highest(*seen.box, signature);
  }
  if (exact_values_) {
    Advice advice = advise(*exact_values_, exact_values_->record(signature), signature, holds);
    if (advice.compile || advice.change) {
      return advice;
    }
  }
  return advise(hotness_, seen, signature, holds);
}

CompilePolicy::Advice CompilePolicy::advise(shapes::Hotness& hotness,
                                            const shapes::Hotness::Observation& seen,
                                            Signature signature,
                                            FunctionRef<bool(const Box&)> holds) {
  if (seen.heat == Heat::kCold || seen.heat == Heat::kSettled || is_in_flight(*seen.box)) {
    return {};
  }
  const Box box = *seen.box;
  if (holds(box)) {
    hotness.settle(box);
    return {};
  }
  const Time now = std::chrono::steady_clock::now();
  shapes::Breaker::Decision decision =
      seen.heat == Heat::kTurnedHot ? breaker_.admit_new(box, now) : breaker_.admit_again(now);
  Advice advice;
  advice.change = std::move(decision.change);
  if (decision.may_compile) {
    in_flight_.push_back(box);
    advice.compile = HotBox{box, {signature.begin(), signature.end()}};
  }
  return advice;
}

std::optional<BreakerChange> CompilePolicy::finished(const Box& box, CompileOutcome outcome) {
  const std::lock_guard lock(mutex_);
  std::erase(in_flight_, box);
  const Time now = std::chrono::steady_clock::now();
  switch (outcome) {
    case CompileOutcome::kPublished:
    case CompileOutcome::kNoGain:
      settle(box);
      return breaker_.succeeded(now);
    case CompileOutcome::kDeclined:
    case CompileOutcome::kQuarantined:
      settle(box);
      return breaker_.failed(box, now);
    case CompileOutcome::kFailed:
      break;
  }
  return breaker_.failed(box, now);
}

void CompilePolicy::evicted(const Box& box) {
  const std::lock_guard lock(mutex_);
  hotness_.forget(box);
  if (exact_values_) {
    exact_values_->forget(box);
  }
}

void CompilePolicy::settle(const Box& box) {
  hotness_.settle(box);
  if (exact_values_) {
    exact_values_->settle(box);
  }
}

std::vector<std::int64_t> CompilePolicy::highest_seen(const Box& box) const {
  const std::lock_guard lock(mutex_);
  const auto found = highest_.find(box);
  return found == highest_.end() ? std::vector<std::int64_t>{} : found->second;
}

CompilePolicy::State CompilePolicy::state() const {
  const std::lock_guard lock(mutex_);
  return {breaker_.state(), breaker_.times_opened(),
          hotness_.counted_boxes() + (exact_values_ ? exact_values_->counted_boxes() : 0)};
}

shapes::SegmentProfile CompilePolicy::profile(std::string_view segment_name) const {
  const std::lock_guard lock(mutex_);
  return traffic_.profile(segment_name);
}

void CompilePolicy::note_highest(const Box& box, Signature signature) {
  if (highest_.size() >= max_highest_ && !highest_.contains(box)) {
    highest_.clear();  // what was seen before is a matter of luck anyway
  }
  std::vector<std::int64_t>& highest =
      highest_.try_emplace(box, signature.begin(), signature.end()).first->second;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    // Elements keep to one run: the greatest of each together may never have occurred.
    if (entries_[i].kind == shapes::Entry::Kind::kExtent) {
      highest[i] = std::max(highest[i], signature[i]);
    }
  }
}

bool CompilePolicy::is_in_flight(const Box& box) const {
  return std::find(in_flight_.begin(), in_flight_.end(), box) != in_flight_.end();
}

}  // namespace pliant::session
