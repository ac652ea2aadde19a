#include "session/exact_segment.h"

#include <chrono>
#include <exception>
#include <utility>

#include "session/plan_events.h"
#include "session/run_values.h"

namespace pliant::session {

using Clock = std::chrono::steady_clock;

ExactSegment::ExactSegment(const plan::Stretch& stretch, plan::KnownRanks ranks,
                           const plan::CompileOptions& options, std::string name,
                           const Planning& planning)
    : stretch_(stretch),
      ranks_(std::move(ranks)),
      options_(options),
      name_(std::move(name)),
      planning_(planning),
      breaker_(planning.options) {}

std::optional<plan::CompiledSegment> ExactSegment::capture(plan::ValueOf value_of) const {
  const std::vector<plan::ExactValue> values = plan::find_exact_values(stretch_, ranks_, value_of);
  if (values.empty()) {
    return std::nullopt;
  }
  plan::CompiledSegment compiled = plan::compile_segment(stretch_, ranks_, values, options_);
  if (compiled.graph.end_reason == plan::DeclineReason::kRuleError) {
    return std::nullopt;
  }
  return compiled;
}

SegmentPlans* ExactSegment::compile(plan::ValueOf value_of) {
  const std::lock_guard lock(compiling_);
  if (owned_ != nullptr) {
    return owned_.get();
  }
  std::optional<plan::CompiledSegment> compiled = capture(value_of);
  if (!compiled) {
    return nullptr;
  }
  owned_ = std::make_unique<SegmentPlans>(
      std::move(*compiled), name_, planning_,
      [this](const shapes::Box& box) { return compile_for_values(box); });
  plans_.store(owned_.get(), std::memory_order_release);
  return owned_.get();
}

plan::CompiledSegment ExactSegment::compile_for_values(const shapes::Box& box) const {
  const plan::Graph& graph = find()->segment().compiled().graph;
  return plan::compile_segment(stretch_, ranks_, plan::exact_values_in(box, graph), options_);
}

std::optional<ExactSegment::Found> ExactSegment::find_without_trying() const {
  if (SegmentPlans* const found = find()) {
    return Found{found, {}};
  }
  if (planning_.options.compiling == Compiling::kSealed) {
    return Found{nullptr, "the session is sealed and has no plan for these values"};
  }
  return std::nullopt;
}

ExactSegment::Found ExactSegment::demand_for(const interp::Execution& execution) {
  if (const std::optional<Found> found = find_without_trying()) {
    return *found;
  }
  const RunValues values(stretch_.program, execution);
  SegmentPlans* const made =
      compile([&](const plan::DecidingEntry& entry) { return values.of(entry.entry); });
  return {made, made == nullptr ? "no plan is possible for these values" : std::string_view()};
}

ExactSegment::Found ExactSegment::find_for(const interp::Execution& execution) {
  if (const std::optional<Found> found = find_without_trying()) {
    return *found;
  }
  constexpr std::string_view kBeingTried = "whether a plan is possible for values is being tried";
  if (is_trying_.exchange(true, std::memory_order_relaxed)) {
    return {nullptr, kBeingTried};
  }
  if (!may_try()) {
    is_trying_.store(false, std::memory_order_relaxed);
    constexpr plan::DeclineReason kReason = plan::DeclineReason::kNoExactPlan;
    SegmentCounters::add(counters_.declines[static_cast<std::size_t>(kReason)]);
    return {nullptr, plan::to_string(kReason)};
  }
  const auto attempt = [this, values = RunValues(stretch_.program, execution)] {
    try_values([&](const plan::DecidingEntry& entry) { return values.of(entry.entry); });
    is_trying_.store(false, std::memory_order_relaxed);
  };
  if (planning_.options.compiling == Compiling::kSync) {
    attempt();
    return {find(), "no plan is possible for these values"};
  }
  if (!planning_.thread.submit(attempt)) {
    is_trying_.store(false, std::memory_order_relaxed);
    const std::lock_guard lock(breaking_);
    breaker_.abandoned();
  }
  return {nullptr, kBeingTried};
}

void ExactSegment::try_values(plan::ValueOf value_of) {
  bool was_possible = false;
  try {
    was_possible = compile(value_of) != nullptr;
  } catch (const std::exception&) {
    // Out of memory, most likely: as good as not possible now.
  }
  std::optional<shapes::BreakerChange> change;
  {
    const std::lock_guard lock(breaking_);
    change = was_possible ? breaker_.succeeded(Clock::now()) : breaker_.failed({}, Clock::now());
  }
  if (!was_possible) {
    SegmentCounters::add(counters_.failures);
  }
  tell(change);
}

bool ExactSegment::may_try() {
  shapes::Breaker::Decision decision;
  {
    const std::lock_guard lock(breaking_);
    decision = breaker_.admit_again(Clock::now());
  }
  tell(decision.change);
  return decision.may_compile;
}

void ExactSegment::tell(const std::optional<shapes::BreakerChange>& change) const {
  if (change) {
    planning_.log.write([&] {
      return breaker_event(name_, *change, "",
                           "no plan was possible for values of inputs that came one after the "
                           "other: runs are interpreted from there on");
    });
  }
}

std::optional<SegmentStatistics> ExactSegment::statistics() const {
  SegmentStatistics statistics;
  counters_.write(statistics.counters);
  {
    const std::lock_guard lock(breaking_);
    statistics.breaker = shapes::breaker_state_name(breaker_.state());
    statistics.counters.breaker_openings = breaker_.times_opened();
  }
  if (const SegmentPlans* const plans = find()) {
    SegmentStatistics of_plans = plans->statistics();
    add_to(of_plans.counters, statistics.counters);
    return of_plans;
  }
  if (statistics.counters.failures == 0) {
    return std::nullopt;
  }
  statistics.name = name_;
  statistics.first = statistics.end = stretch_.first;
  statistics.end_reason = plan::to_string(plan::DeclineReason::kNoExactPlan);
  return statistics;
}

}  // namespace pliant::session
