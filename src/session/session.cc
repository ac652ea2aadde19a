#include <atomic>
#include <chrono>
#include <new>
#include <optional>

#include <pliant/session.h>

#include "base/result.h"
#include "bind/packed_constants.h"
#include "memory/pool.h"
#include "session/borrowed_storage.h"
#include "session/estimate.h"
#include "session/event_log.h"
#include "session/explanation.h"
#include "session/input_binder.h"
#include "session/model_state.h"
#include "session/planned_program.h"
#include "session/run_options.h"
#include "session/run_report.h"
#include "session/run_trace.h"
#include "session/text_file.h"
#include "session/warm_up.h"
#include "shapes/policy_options.h"
#include "shapes/profile_json.h"
#include "threads/stop_check.h"
#include "threads/thread_pool.h"

namespace pliant {

using Clock = std::chrono::steady_clock;

struct Session::State {
  State(Model loaded, const SessionOptions& options, const VerifiedProgram& program, CpuLevel level,
        int thread_count)
      : model(std::move(loaded)),
        plan_options(options.plans),
        log(options.log),
        pool(memory::PoolOptions{.max_bytes = options.max_bytes}),
        parallel(threads::parallel_for_on_pool(thread_count)),
        binder(*program),
        planned(program, plan::Environment{pool, *parallel, level, &packed}, plan_options, log) {}

  /// `start` is when loading began.
  static Result<Session> create(Model model, const SessionOptions& options,
                                Clock::time_point start);
  Result<std::vector<Tensor>> run(std::span<const NamedTensor> inputs,
                                  const session::PlannedProgram::Manner& manner,
                                  const std::function<bool()>& should_stop);
  /// Runs and accounts for it.
  Result<std::vector<Tensor>> run_and_count(std::span<const NamedTensor> inputs,
                                            const session::PlannedProgram::Manner& manner,
                                            const std::function<bool()>& should_stop);

  Model model;
  const PlanOptions plan_options;
  session::EventLog log;
  memory::Pool pool;
  std::unique_ptr<ParallelFor> parallel;
  bind::PackedConstants packed;
  session::InputBinder binder;
  session::PlannedProgram planned;
  std::atomic<std::uint64_t> next_run{0};
  std::atomic<std::uint64_t> runs{0};
  std::atomic<std::uint64_t> failed_runs{0};
};

namespace {

std::string milliseconds_since(Clock::time_point start) {
  return fmt::format("{:.1f}",
                     std::chrono::duration<double, std::milli>(Clock::now() - start).count());
}

}  // namespace

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::load(const std::string& path, const SessionOptions& options) {
  const Clock::time_point start = Clock::now();
  PLIANT_ASSIGN_OR_RETURN(Model model, Model::load(path));
  return State::create(std::move(model), options, start);
}

Result<Session> Session::create(Model model, const SessionOptions& options) {
  return State::create(std::move(model), options, Clock::now());
}

Result<Session> Session::State::create(Model model, const SessionOptions& options,
                                       Clock::time_point start) {
  PLIANT_ASSIGN_OR_RETURN(const CpuLevel level, session::cpu_level_of(options));
  PLIANT_ASSIGN_OR_RETURN(const int thread_count, session::thread_count_of(options));
  PLIANT_RETURN_IF_ERROR(shapes::check_options(options.plans));
  const VerifiedProgram program = model.state_->program;
  auto state = std::make_unique<State>(std::move(model), options, program, level, thread_count);
  if (!options.plans.warm_up_profile.empty()) {
    PLIANT_ASSIGN_OR_RETURN(const std::string profile,
                            session::read_text_file(options.plans.warm_up_profile));
    PLIANT_RETURN_IF_ERROR(session::warm_up(state->planned, profile, options.should_stop));
  }
  state->log.write([&] {
    return LogEvent{LogEvent::Level::kInfo,
                    "load",
                    {{"source", program->source},
                     {"instructions", std::to_string(program->instructions.size())},
                     {"constant_bytes", std::to_string(state->model.constant_bytes())},
                     {"cpu_level", std::string(name(level))},
                     {"threads", std::to_string(thread_count)},
                     {"milliseconds", milliseconds_since(start)}}};
  });
  return Session(std::move(state));
}

Result<std::vector<Tensor>> Session::State::run(std::span<const NamedTensor> inputs,
                                                const session::PlannedProgram::Manner& manner,
                                                const std::function<bool()>& should_stop) {
  PLIANT_ASSIGN_OR_RETURN(const session::BoundInputs bound, binder.bind(inputs));
  std::optional<StopCheck> stop;
  std::unique_ptr<ParallelFor> stoppable;
  if (should_stop) {
    stop.emplace(should_stop);
    stoppable = threads::parallel_for_on_pool(parallel->worker_count(), &*stop);
  }
  PLIANT_ASSIGN_OR_RETURN(
      const std::vector<StoredTensor> results,
      planned.run({bound.tensors, bound.symbols, next_run.fetch_add(1), stoppable.get()}, manner));
  std::vector<Tensor> outputs;
  outputs.reserve(results.size());
  for (const StoredTensor& result : results) {
    PLIANT_ASSIGN_OR_RETURN(Tensor output, session::hand_out(result));
    outputs.push_back(std::move(output));
  }
  return outputs;
}

Result<std::vector<Tensor>> Session::State::run_and_count(
    std::span<const NamedTensor> inputs, const session::PlannedProgram::Manner& manner,
    const std::function<bool()>& should_stop) {
  Result<std::vector<Tensor>> outputs = [&]() -> Result<std::vector<Tensor>> {
    try {
      return run(inputs, manner, should_stop);
    } catch (const std::bad_alloc&) {
      return make_error(ErrorCode::kResourceExhausted, "the system has no more memory");
    }
  }();
  if (outputs) {
    ++runs;
    return outputs;
  }
  ++failed_runs;
  log.write([&] {
    return LogEvent{LogEvent::Level::kError,
                    "run",
                    {{"error", error_code_name(outputs.error().code)},
                     {"message", outputs.error().message},
                     {"where", outputs.error().where}}};
  });
  return outputs;
}

Result<std::vector<Tensor>> Session::run(std::span<const NamedTensor> inputs,
                                         const RunOptions& options) {
  const Tier tier = options.tier.value_or(state_->plan_options.tier);
  std::optional<session::RunReport> report;
  std::optional<session::RunTrace> trace;
  if (options.report != nullptr) {
    report.emplace(*options.report);
  }
  if (options.trace != nullptr) {
    trace.emplace(state_->planned.program());
  }
  Result<std::vector<Tensor>> outputs = state_->run_and_count(
      inputs, {tier, report ? &*report : nullptr, trace ? &*trace : nullptr}, options.should_stop);
  if (trace) {
    *options.trace = trace->json(state_->planned.compile_history());
  }
  return outputs;
}

Result<std::string> Session::explain(std::span<const NamedTensor> inputs,
                                     const RunOptions& options) {
  const Tier tier = options.tier.value_or(state_->plan_options.tier);
  session::Explanation explanation(state_->planned.program(), state_->planned.environment(),
                                   state_->plan_options, tier);
  PLIANT_ASSIGN_OR_RETURN(
      [[maybe_unused]] const std::vector<Tensor> outputs,
      state_->run_and_count(inputs, {tier, &explanation, nullptr}, options.should_stop));
  return explanation.text();
}

Result<MemoryEstimate> Session::estimate(std::span<const NamedSize> sizes) const {
  return session::estimate(state_->planned, sizes);
}

std::string Session::profile() const {
  shapes::Profile profile = state_->planned.profile();
  profile.program = session::program_fingerprint(state_->planned.program());
  return shapes::write_profile(profile);
}

Status Session::warm_up(std::string_view profile, const std::function<bool()>& should_stop) {
  return session::warm_up(state_->planned, profile, should_stop);
}

Status Session::warm_up_exact(std::span<const NamedSize> sizes) {
  return session::warm_up_exact(state_->planned, sizes);
}

void Session::finish_compiling() {
  state_->planned.finish_compiling();
}

const Model& Session::model() const {
  return state_->model;
}

SessionStatistics Session::statistics() const {
  const memory::PoolStatistics pool = state_->pool.statistics();
  SessionStatistics statistics;
  statistics.runs = state_->runs;
  statistics.failed_runs = state_->failed_runs;
  statistics.constant_bytes = state_->model.constant_bytes();
  statistics.packed_bytes = state_->packed.byte_size();
  statistics.live_bytes = pool.live_bytes;
  statistics.peak_bytes = pool.peak_bytes;
  statistics.reserved_bytes = pool.reserved_bytes;
  statistics.plans = state_->planned.statistics();
  return statistics;
}

std::size_t Session::trim() {
  state_->planned.trim();  // gives arenas to the pool
  return state_->pool.trim();
}

}  // namespace pliant
