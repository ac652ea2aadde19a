#include "session/planned_program.h"

#include <algorithm>

#include "base/result.h"
#include "session/segment_limits.h"
#include "threads/stop_check.h"

namespace pliant::session {
namespace {

/// Gives a workspace back on every way out.
class BorrowedWorkspace {
 public:
  explicit BorrowedWorkspace(plan::Workspaces& owner) : owner_(owner), workspace_(owner.take()) {}
  BorrowedWorkspace(const BorrowedWorkspace&) = delete;
  BorrowedWorkspace& operator=(const BorrowedWorkspace&) = delete;
  ~BorrowedWorkspace() { owner_.give_back(std::move(workspace_)); }
  [[nodiscard]] plan::Workspace& operator*() { return *workspace_; }

 private:
  plan::Workspaces& owner_;
  std::unique_ptr<plan::Workspace> workspace_;
};

std::size_t byte_size(const plan::Plan& plan) {
  return plan.byte_size();
}

/// The plan of a segment for a run, whose values are left in the workspace. Null: the interpreter.
Result<SegmentPlans::CachedPlan> plan_of(SegmentPlans& segment, const interp::Execution& execution,
                                         plan::Workspace& workspace, Tier tier) {
  segment.segment().gather(execution, workspace.signature, workspace.tensors);
  if (tier != Tier::kAuto) {
    return segment.demand(tier, workspace.signature);
  }
  return segment.can_be_planned() ? segment.find(workspace.signature) : nullptr;
}

/// Whether an instruction is one that plans leave to the interpreter in every tier: where segments
/// meet.
bool is_border(plan::DeclineReason reason) {
  return reason == plan::DeclineReason::kControlFlow ||
         reason == plan::DeclineReason::kDataDependentSize;
}

}  // namespace

PlannedProgram::PlannedProgram(const VerifiedProgram& program, const plan::Environment& environment,
                               const PlanOptions& options, EventLog& log)
    : program_(program),
      environment_(environment),
      options_{environment.level, options.rounding_fusions},
      uses_(*program_),
      limits_(segment_limits(*program_)),
      interpreter_(program, interp::Environment{environment.pool, environment.parallel,
                                                environment.level, environment.packed}),
      ranges_(*program_),
      planning_{options,     log,
                workspaces_, std::make_shared<cache::PlanBudget>(options.max_plan_bytes, byte_size),
                thread_,     history_,
                nullptr},
      starts_(program_->instructions.size()) {
  if (options.self_check) {
    self_check_.emplace(interpreter_, environment_, ranges_, options.reproducer_folder);
    planning_.self_check = &*self_check_;
  }
  compile_floors();
}

void PlannedProgram::compile_floors() {
  const std::vector<bool> comes_always = on_every_path(*program_);
  std::size_t next = 0;
  while (next < starts_.size()) {
    if (!comes_always[next]) {
      ++next;
      continue;
    }
    SegmentStart& start = start_at(next);
    if (!start.has_known_ranks()) {
      next = start.limit();  // where the segment ends is not known either
      continue;
    }
    next = std::max(next + 1, start.compile({})->plans->segment().end());
  }
}

SegmentStart& PlannedProgram::start_at(std::size_t instruction) {
  if (SegmentStart* const start = starts_[instruction].load(std::memory_order_acquire)) {
    return *start;
  }
  const std::lock_guard lock(mutex_);
  if (SegmentStart* const start = starts_[instruction].load(std::memory_order_relaxed)) {
    return *start;
  }
  owned_starts_.push_back(std::make_unique<SegmentStart>(
      *program_, uses_, instruction, limits_[instruction], options_, planning_));
  starts_[instruction].store(owned_starts_.back().get(), std::memory_order_release);
  return *owned_starts_.back();
}

const SegmentVariant* PlannedProgram::segment_at(SegmentStart& start,
                                                 const interp::Execution& execution, Tier tier) {
  if (const SegmentVariant* const found = start.find(execution)) {
    return found;
  }
  if (planning_.options.compiling == Compiling::kSealed) {
    return nullptr;
  }
  if (compiles_in_runs(tier)) {
    return start.compile(start.ranks_of(execution));
  }
  start.request(execution);
  return nullptr;
}

std::optional<PlannedProgram::Choice> PlannedProgram::choose_exact(
    ExactSegment& exact, const interp::Execution& execution, plan::Workspace& workspace,
    const Manner& manner) const {
  const bool is_by_hand = manner.tier != Tier::kAuto;
  const ExactSegment::Found found =
      is_by_hand ? exact.demand_for(execution) : exact.find_for(execution);
  std::string reason(found.reason);
  if (found.plans != nullptr) {
    Result<SegmentPlans::CachedPlan> plan =
        plan_of(*found.plans, execution, workspace, manner.tier);
    if (plan && *plan != nullptr) {
      return Choice{found.plans, std::move(*plan)};
    }
    reason = plan ? "there is no plan for these values" : plan.error().message;
  }
  if (manner.observer != nullptr) {
    manner.observer->passed_over(exact.name(), reason);
  }
  return std::nullopt;
}

Result<PlannedProgram::Choice> PlannedProgram::choose(const SegmentVariant& variant,
                                                      const interp::Execution& execution,
                                                      plan::Workspace& workspace,
                                                      const Manner& manner) const {
  if (variant.exact != nullptr) {
    if (std::optional<Choice> exact = choose_exact(*variant.exact, execution, workspace, manner)) {
      return std::move(*exact);
    }
  }
  PLIANT_ASSIGN_OR_RETURN(SegmentPlans::CachedPlan plan,
                          plan_of(*variant.plans, execution, workspace, manner.tier));
  return Choice{variant.plans.get(), std::move(plan)};
}

// A segment that is not known does not say where it ends; others may have begun behind it.
std::size_t PlannedProgram::next_start(std::size_t first, std::size_t limit) const {
  while (first < limit && starts_[first].load(std::memory_order_acquire) == nullptr) {
    ++first;
  }
  return first;
}

Error PlannedProgram::no_segment(std::size_t instruction, Tier tier) const {
  Error error = make_error(ErrorCode::kUnsupported, "no plan of tier '{}' can be had here: {}",
                           tier_name(tier),
                           planning_.options.compiling == Compiling::kSealed
                               ? "the session is sealed and knows nothing of these ranks"
                               : "there have been too many different ranks");
  error.where = program_->describe(instruction);
  return error;
}

Result<PlannedProgram::Attempt> PlannedProgram::run_plan(
    interp::Execution& execution, plan::Workspace& workspace,
    const interp::Interpreter::Arguments& run_arguments, const Manner& manner) {
  const std::size_t first = execution.next();
  const auto leave_to_interpreter = [&](std::size_t end, std::string_view reason) {
    if (manner.observer != nullptr) {
      manner.observer->interpreted(first, end, reason);
    }
    return Attempt{false, end, std::nullopt};
  };
  SegmentStart& start = start_at(first);
  const SegmentVariant* const variant = segment_at(start, execution, manner.tier);
  if (variant == nullptr) {
    if (manner.tier != Tier::kAuto) {
      return no_segment(first, manner.tier);
    }
    return leave_to_interpreter(next_start(first + 1, start.limit()),
                                "there is no plan yet for these ranks");
  }
  const plan::Graph& graph = variant->plans->segment().compiled().graph;
  if (variant->plans->segment().is_empty() &&
      (manner.tier == Tier::kAuto || is_border(graph.end_reason))) {
    variant->plans->counters().declined(graph.end_reason);
    return leave_to_interpreter(first + 1, plan::to_string(graph.end_reason));
  }
  Result<Choice> choice = choose(*variant, execution, workspace, manner);
  if (!choice) {
    // Values that do not fit are an error of the run, which the interpreter words.
    Attempt attempt = leave_to_interpreter(start.limit(), choice.error().message);
    attempt.refusal = std::move(choice.error());
    return attempt;
  }
  const auto& [segment, plan] = *choice;
  if (plan == nullptr) {
    workspace.tensors.clear();
    SegmentCounters::add(segment->counters().interpreted_runs);
    return leave_to_interpreter(segment->segment().end(), "no plan covers these sizes");
  }
  if (manner.trace != nullptr) {
    manner.trace->begin_plan();
  }
  plan::RunResults results;
  const plan::RunArguments arguments{workspace.signature, workspace.tensors,
                                     run_arguments.run_number};
  const plan::Environment environment{
      environment_.pool,
      run_arguments.parallel != nullptr ? *run_arguments.parallel : environment_.parallel,
      environment_.level, environment_.packed};
  const plan::DeclineReason reason =
      plan::run(*plan->plan(), arguments, environment, workspace, results, manner.trace);
  if (manner.trace != nullptr) {
    manner.trace->end_plan(*segment, *plan,
                           reason == plan::DeclineReason::kNone ? "" : plan::to_string(reason));
  }
  if (reason == plan::DeclineReason::kNone && manner.observer != nullptr) {
    manner.observer->planned(*segment, *plan, arguments);
  }
  workspace.tensors.clear();
  if (reason != plan::DeclineReason::kNone) {
    segment->counters().declined(reason);
    if (reason == plan::DeclineReason::kStopped) {
      Error error = stopped();
      error.where = program_->describe(results.stopped_at);
      return error;
    }
    Attempt attempt = leave_to_interpreter(plan->plan()->end, plan::to_string(reason));
    if (manner.tier != Tier::kAuto) {
      attempt.refusal = make_error(ErrorCode::kUnsupported, "a plan of tier '{}' gave up here: {}",
                                   tier_name(manner.tier), plan::to_string(reason));
      attempt.refusal->where = program_->describe(first);
    }
    return attempt;
  }
  segment->counters().planned(plan->breadth());
  if (results.newly_bound) {
    SegmentCounters::add(segment->counters().bound_runs);
    if (!plan->is_floor()) {
      planning_.budget->enforce();  // the plan has grown by a layout
    }
  }
  Segment::scatter(*plan->plan(), results, execution);
  return Attempt{true, 0, std::nullopt};
}

Result<std::vector<StoredTensor>> PlannedProgram::run(
    const interp::Interpreter::Arguments& arguments, const Manner& manner) {
  if (planning_.options.record || planning_.self_check != nullptr) {
    ranges_.note(arguments.inputs);
  }
  const bool interprets_all = manner.tier == Tier::kInterpreter;
  if (interprets_all) {
    if (manner.observer != nullptr) {
      manner.observer->interpreted(0, program_->instructions.size(), "it was asked for");
    }
    if (manner.trace == nullptr) {
      return interpreter_.run(arguments);
    }
  }
  interp::Execution execution = interpreter_.begin(arguments);
  BorrowedWorkspace workspace(workspaces_);
  Attempt last;
  while (!execution.has_ended()) {
    const std::size_t here = execution.next();
    if (here == last.resume && !interprets_all) {
      if (last.refusal) {
        return std::move(*last.refusal);
      }
      PLIANT_ASSIGN_OR_RETURN(last, run_plan(execution, *workspace, arguments, manner));
      if (last.succeeded) {
        last.resume = execution.next();
        continue;
      }
    }
    PLIANT_RETURN_IF_ERROR(step(execution, manner.trace));
    if (execution.next() != here + 1) {
      last.resume = execution.next();  // a branch
    }
  }
  if (last.refusal) {
    return std::move(*last.refusal);
  }
  return execution.take_outputs();
}

Status PlannedProgram::step(interp::Execution& execution, RunTrace* trace) {
  if (trace == nullptr) {
    return execution.step();
  }
  const std::size_t instruction = execution.next();
  trace->begin_instruction();
  Status status = execution.step();
  trace->end_instruction(instruction);
  return status;
}

std::vector<const SegmentVariant*> PlannedProgram::variants() const {
  std::vector<const SegmentVariant*> variants;
  for (const std::atomic<SegmentStart*>& start : starts_) {
    if (const SegmentStart* const known = start.load(std::memory_order_acquire)) {
      const std::vector<const SegmentVariant*> here = known->variants();
      variants.insert(variants.end(), here.begin(), here.end());
    }
  }
  return variants;
}

std::vector<SegmentPlans*> PlannedProgram::segments() const {
  std::vector<SegmentPlans*> segments;
  for (const SegmentVariant* const variant : variants()) {
    segments.push_back(variant->plans.get());
    if (variant->exact != nullptr && variant->exact->find() != nullptr) {
      segments.push_back(variant->exact->find());
    }
  }
  return segments;
}

PlanStatistics PlannedProgram::statistics() const {
  PlanStatistics statistics;
  const auto add = [&](SegmentStatistics segment) {
    add_to(statistics.total, segment.counters);
    statistics.segments.push_back(std::move(segment));
  };
  for (const SegmentVariant* const variant : variants()) {
    add(variant->plans->statistics());
    if (variant->exact != nullptr) {
      if (std::optional<SegmentStatistics> exact = variant->exact->statistics()) {
        add(std::move(*exact));
      }
    }
  }
  statistics.pending_compiles = thread_.pending();
  const plan::Workspaces::Statistics workspaces = workspaces_.statistics();
  statistics.arena_bytes = workspaces.arena_bytes;
  statistics.layout_bytes = workspaces.bound_bytes;
  return statistics;
}

shapes::Profile PlannedProgram::profile() const {
  shapes::Profile profile;
  for (const SegmentPlans* const segment : segments()) {
    if (profile.segments.size() == shapes::kMaxProfiledSegments) {
      break;
    }
    shapes::SegmentProfile recorded = segment->profile();
    if (!recorded.signatures.empty() || recorded.forgotten_weight > 0) {
      profile.segments.push_back(std::move(recorded));
    }
  }
  profile.value_ranges = ranges_.all();
  return profile;
}

}  // namespace pliant::session
