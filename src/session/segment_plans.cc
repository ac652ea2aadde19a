#include "session/segment_plans.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>

#include "base/result.h"
#include "plan/exact_values.h"
#include "plan/same_steps.h"
#include "session/plan_events.h"
#include "session/run_report.h"
#include "shapes/bucket.h"

namespace pliant::session {
namespace {

using shapes::Box;
using shapes::Breadth;
using Clock = std::chrono::steady_clock;

std::uint64_t nanoseconds_since(Clock::time_point start) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count());
}

CompilePolicy::Wanted wanted_of(const Planning& planning, bool can_compile, bool is_exact) {
  const bool compiles = planning.options.compiling != Compiling::kSealed && can_compile;
  return {compiles, planning.options.record, compiles && planning.self_check != nullptr,
          is_exact && planning.options.floor == Floor::kPlan};
}

}  // namespace

SegmentPlans::SegmentPlans(plan::CompiledSegment compiled, std::string name,
                           const Planning& planning, CompileExact compile_exact)
    : name_(std::move(name)),
      planning_(planning),
      segment_(std::move(compiled)),
      compile_exact_(std::move(compile_exact)),
      policy_(segment_.compiled().graph.entries, planning.options,
              wanted_of(planning, is_exact() || !segment_.is_empty(), is_exact())),
      cache_(segment_.compiled().graph.entries, planning.options.max_plans, planning.budget,
             [this](const cache::CachedPlan& plan) { on_evicted(plan); }) {
  const CompilePolicy::Wanted wanted =
      wanted_of(planning, is_exact() || !segment_.is_empty(), is_exact());
  is_watched_ = wanted.compiles || wanted.profile;
  if (planning.options.floor == Floor::kPlan && !is_exact()) {
    make_any_size();
    if (any_size_ != nullptr) {
      cache_.insert_floor(any_size_->box(), any_size_->plan());
    }
  }
}

bool SegmentPlans::can_be_planned() const {
  return is_exact() ||
         (planning_.options.floor == Floor::kPlan ? any_size_ != nullptr : !segment_.is_empty());
}

void SegmentPlans::make_any_size() {
  plan::DeclineReason reason = segment_.compiled().graph.end_reason;
  std::shared_ptr<const plan::Plan> plan;
  if (!segment_.is_empty()) {
    plan = plan::compile_any_size(segment_.compiled(), reason);
  }
  if (plan == nullptr) {
    why_not_any_size_ = plan::to_string(reason);
  } else if (!passes_check(segment_, *plan, {plan->box, {}})) {
    why_not_any_size_ =
        "the plan for any size answered differently from the interpreter and is not used";
  } else {
    any_size_ = std::make_shared<cache::CachedPlan>(plan->box, Breadth::kAnySize, plan, true);
  }
}

SegmentPlans::CachedPlan SegmentPlans::find(shapes::Signature signature) {
  if (is_watched_) {
    CompilePolicy::Advice advice = policy_.note_run(
        signature, [this](const Box& box) { return is_floor_box(box) || cache_.holds(box); });
    if (advice.change) {
      tell(*advice.change);
    }
    if (advice.compile) {
      if (planning_.options.compiling == Compiling::kSync) {
        compile_advised(*advice.compile);
      } else if (!planning_.thread.submit(
                     [this, hot = *advice.compile] { compile_advised(hot); })) {
        SegmentCounters::add(counters_.failures);
        if (const auto change = policy_.finished(advice.compile->box, CompileOutcome::kFailed)) {
          tell(*change);
        }
      }
    }
  }
  return cache_.find(signature);
}

Result<SegmentPlans::CachedPlan> SegmentPlans::demand(Tier tier, shapes::Signature signature) {
  const auto& entries = segment_.compiled().graph.entries;
  const Box box = tier == Tier::kAny ? shapes::any_size_box(entries, signature)
                  : tier == Tier::kExact
                      ? shapes::exact_box(signature)
                      : shapes::bucketed_box(entries, signature, planning_.options.bucket_width);
  const Breadth breadth = shapes::breadth_of(box, entries);
  const bool is_sealed = planning_.options.compiling == Compiling::kSealed;
  constexpr const char* kSealed = "the session is sealed and has no plan for these sizes";
  if (!is_exact() && (breadth == Breadth::kAnySize || !can_be_planned())) {
    const std::lock_guard lock(demand_);
    if (any_size_ == nullptr && why_not_any_size_.empty()) {
      if (is_sealed) {
        return refuse(tier, kSealed);
      }
      make_any_size();
    }
    return any_size_ != nullptr ? Result<CachedPlan>(any_size_) : refuse(tier, why_not_any_size_);
  }
  if (CachedPlan found = cache_.find_of(breadth, signature)) {
    return found;
  }
  if (is_sealed) {
    return refuse(tier, kSealed);
  }
  const std::lock_guard lock(demand_);
  if (cache_.holds(box)) {
    if (CachedPlan found = cache_.find_of(breadth, signature)) {
      return found;
    }
  }
  const Attempt result = attempt({box, {signature.begin(), signature.end()}}, Worth::kAnyway);
  if (result.outcome != CompileOutcome::kPublished) {
    return refuse(tier, result.words);
  }
  // Not looked up again: it may have been evicted already.
  return std::make_shared<const cache::CachedPlan>(box, breadth, result.plan, false);
}

CompileOutcome SegmentPlans::prepare(const HotBox& hot) {
  const std::lock_guard lock(demand_);
  if (is_floor_box(hot.box)) {
    return CompileOutcome::kNoGain;
  }
  if (is_exact() && planning_.options.floor == Floor::kPlan) {
    // What others are compared with has to be there: nothing else covers these values.
    const Box any_size = shapes::any_size_box(segment_.compiled().graph.entries, hot.seen);
    if (!cache_.holds(any_size)) {
      const CompileOutcome outcome = attempt({any_size, hot.seen}, Worth::kAnyway).outcome;
      if (outcome != CompileOutcome::kPublished) {
        return outcome;
      }
    }
  }
  if (cache_.holds(hot.box)) {
    return CompileOutcome::kPublished;
  }
  return attempt(hot, Worth::kIfItGains).outcome;
}

// The one place where plans for boxes come to be.
SegmentPlans::Attempt SegmentPlans::attempt(const HotBox& hot, Worth worth) {
  const Clock::time_point start = Clock::now();
  Attempt attempt;
  std::optional<const Segment> of_values;
  try {
    if (is_exact()) {
      of_values.emplace(compile_exact_(hot.box));
    }
    compile(hot, worth, of_values ? *of_values : segment_, attempt);
  } catch (const std::exception& exception) {
    attempt.words = exception.what();
  }
  const std::uint64_t nanoseconds = nanoseconds_since(start);
  SegmentCounters::add(counters_.compile_nanoseconds, nanoseconds);
  if (attempt.outcome == CompileOutcome::kPublished) {
    SegmentCounters::add(counters_.compiles);
    if (!passes_check(of_values ? *of_values : segment_, *attempt.plan, hot)) {
      attempt.outcome = CompileOutcome::kQuarantined;
      attempt.words = "the plan answered differently from the interpreter and is not used";
    } else {
      cache_.insert(hot.box, attempt.plan);
    }
  } else if (attempt.outcome == CompileOutcome::kNoGain) {
    SegmentCounters::add(counters_.compiles);
    SegmentCounters::add(counters_.no_gain);
  } else {
    SegmentCounters::add(counters_.failures);
  }
  tell_compiled(hot, attempt, nanoseconds);
  planning_.history.note(fmt::format("segment {}, box {}", name_, describe(hot.box)),
                         words_of(attempt.outcome), start);
  return attempt;
}

void SegmentPlans::compile(const HotBox& hot, Worth worth, const Segment& segment,
                           Attempt& attempt) const {
  const plan::Graph& graph = segment.compiled().graph;
  plan::DeclineReason reason = graph.end_reason;
  // With other sizes than those that decide for all values, or by values that do not fit.
  const bool has_other_sizes = !plan::same_signature(graph, segment_.compiled().graph);
  const bool is_any_size = hot.box == segment.compiled().any_size;
  if (is_exact() && (has_other_sizes || reason == plan::DeclineReason::kRuleError)) {
    reason = has_other_sizes ? plan::DeclineReason::kExactValue : reason;
  } else {
    attempt.plan = is_any_size ? plan::compile_any_size(segment.compiled(), reason)
                               : plan::compile_for(segment.compiled(), hot.box, reason);
  }
  if (attempt.plan == nullptr) {
    attempt.outcome = CompileOutcome::kDeclined;
    attempt.words = plan::to_string(reason);
    return;
  }
  bool gains = true;
  if (worth == Worth::kIfItGains && planning_.options.floor == Floor::kPlan && !is_any_size) {
    const std::shared_ptr<const plan::Plan> any_size =
        is_exact() ? plan::compile_any_size(segment.compiled(), reason) : any_size_->plan();
    gains = any_size == nullptr || !plan::same_steps(*attempt.plan, *any_size);
  }
  attempt.outcome = gains ? CompileOutcome::kPublished : CompileOutcome::kNoGain;
}

bool SegmentPlans::is_floor_box(const Box& box) const {
  if (is_exact()) {
    return false;
  }
  const auto& entries = segment_.compiled().graph.entries;
  if (shapes::breadth_of(box, entries) != Breadth::kAnySize) {
    return false;
  }
  // A segment of one size has no other box; without a floor that one is worth a plan as any.
  return planning_.options.floor == Floor::kPlan || !entries.empty();
}

bool SegmentPlans::passes_check(const Segment& segment, const plan::Plan& plan, const HotBox& hot) {
  if (planning_.self_check == nullptr) {
    return true;
  }
  const Clock::time_point start = Clock::now();
  const SelfCheck::Verdict verdict =
      planning_.self_check->check(segment, plan, hot.seen, policy_.highest_seen(hot.box));
  SegmentCounters::add(counters_.check_nanoseconds, nanoseconds_since(start));
  SegmentCounters::add(counters_.skipped_checks, static_cast<std::uint64_t>(verdict.skipped));
  if (verdict.difference.empty()) {
    SegmentCounters::add(counters_.unchecked, verdict.agreeing == 0 ? 1 : 0);
    return true;
  }
  SegmentCounters::add(counters_.quarantined);
  planning_.log.write([&] {
    return LogEvent{LogEvent::Level::kError,
                    "quarantine",
                    {{"segment", name_},
                     {"box", describe(plan.box)},
                     {"difference", verdict.difference},
                     {"reproducer", verdict.reproducer}}};
  });
  return false;
}

void SegmentPlans::compile_advised(const HotBox& hot) {
  CompileOutcome outcome = CompileOutcome::kFailed;
  try {
    outcome = attempt(hot, Worth::kIfItGains).outcome;
  } catch (const std::exception&) {
    // Out of memory while publishing: the box stays hot, and the breaker counts it.
    SegmentCounters::add(counters_.failures);
  }
  const std::optional<shapes::BreakerChange> change = policy_.finished(hot.box, outcome);
  if (outcome == CompileOutcome::kPublished && !cache_.holds(hot.box)) {
    policy_.evicted(hot.box);  // before finished() knew of it
  }
  if (change) {
    tell(*change);
  }
}

void SegmentPlans::on_evicted(const cache::CachedPlan& plan) {
  planning_.workspaces.forget(plan.plan()->id);
  policy_.evicted(plan.box());
  planning_.log.write([&] {
    return LogEvent{LogEvent::Level::kInfo,
                    "evict",
                    {{"segment", name_},
                     {"tier", tier_name(tier_of(plan.breadth()))},
                     {"box", describe(plan.box())}}};
  });
}

void SegmentPlans::tell(const shapes::BreakerChange& change) {
  planning_.log.write([&] {
    const auto& entries = segment_.compiled().graph.entries;
    return breaker_event(name_, change,
                         change.jittering_entry ? entries[*change.jittering_entry].name : "",
                         "sizes of this axis are too many for plans of their own: a larger "
                         "bucket_width makes them fewer, a larger breaker_new_boxes allows more");
  });
}

void SegmentPlans::tell_compiled(const HotBox& hot, const Attempt& attempt,
                                 std::uint64_t nanoseconds) {
  planning_.log.write([&] {
    const auto& entries = segment_.compiled().graph.entries;
    return to_log({name_, tier_of(shapes::breadth_of(hot.box, entries)), describe(hot.box),
                   attempt.outcome, attempt.words, nanoseconds});
  });
}

std::string SegmentPlans::describe(const Box& box) const {
  return box.to_string(segment_.compiled().graph.entries);
}

Error SegmentPlans::refuse(Tier tier, const std::string& reason) const {
  const plan::Graph& graph = segment_.compiled().graph;
  Error error = make_error(ErrorCode::kUnsupported, "no plan of tier '{}' can be had here: {}",
                           tier_name(tier), reason);
  if (graph.first < graph.program->instructions.size()) {
    error.where = graph.program->describe(graph.first);
  }
  return error;
}

SegmentStatistics SegmentPlans::statistics() const {
  const plan::CompiledSegment& compiled = segment_.compiled();
  SegmentStatistics statistics;
  statistics.name = name_;
  statistics.first = compiled.graph.first;
  statistics.end = compiled.graph.end;
  for (const shapes::Entry& entry : compiled.graph.entries) {
    statistics.entries.push_back(entry.name);
  }
  if (compiled.graph.end_reason != plan::DeclineReason::kNone) {
    statistics.end_reason = plan::to_string(compiled.graph.end_reason);
  }
  for (const auto& plan : cache_.plans()) {
    statistics.plans.push_back({tier_of(plan->breadth()), describe(plan->box()), plan->is_floor(),
                                plan->plan()->byte_size()});
  }
  const CompilePolicy::State state = policy_.state();
  statistics.breaker = shapes::breaker_state_name(state.breaker);

  PlanCounters& counters = statistics.counters;
  counters_.write(counters);
  const cache::CacheStatistics cached = cache_.statistics();
  counters.plans = cached.plans;
  counters.plan_bytes = cached.plan_bytes;
  counters.floor_plans = cached.floor_plans;
  counters.floor_bytes = cached.floor_bytes;
  counters.misses = cached.misses;
  counters.evictions = cached.evictions_by_count + cached.evictions_by_bytes;
  counters.counted_boxes = state.counted_boxes;
  counters.breaker_openings = state.breaker_openings;
  return statistics;
}

}  // namespace pliant::session
