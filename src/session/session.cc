#include <atomic>
#include <chrono>
#include <new>

#include <pliant/session.h>

#include "base/result.h"
#include "bind/packed_constants.h"
#include "memory/pool.h"
#include "session/borrowed_storage.h"
#include "session/event_log.h"
#include "session/input_binder.h"
#include "session/model_state.h"
#include "session/planned_program.h"
#include "session/run_options.h"
#include "threads/thread_pool.h"

namespace pliant {

using Clock = std::chrono::steady_clock;

struct Session::State {
  State(Model loaded, const SessionOptions& options, const VerifiedProgram& program, CpuLevel level,
        int thread_count)
      : model(std::move(loaded)),
        log(options.log),
        pool(memory::PoolOptions{.max_bytes = options.max_bytes}),
        parallel(threads::parallel_for_on_pool(thread_count)),
        binder(*program),
        planned(program, plan::Environment{pool, *parallel, level, &packed},
                plan::CompileOptions{level, false}) {}

  /// `start` is when loading began.
  static Result<Session> create(Model model, const SessionOptions& options,
                                Clock::time_point start);
  Result<std::vector<Tensor>> run(std::span<const NamedTensor> inputs);

  Model model;
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
  const VerifiedProgram program = model.state_->program;
  auto state = std::make_unique<State>(std::move(model), options, program, level, thread_count);
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

Result<std::vector<Tensor>> Session::State::run(std::span<const NamedTensor> inputs) {
  PLIANT_ASSIGN_OR_RETURN(const session::BoundInputs bound, binder.bind(inputs));
  PLIANT_ASSIGN_OR_RETURN(const std::vector<StoredTensor> results,
                          planned.run({bound.tensors, bound.symbols, next_run.fetch_add(1)}));
  std::vector<Tensor> outputs;
  outputs.reserve(results.size());
  for (const StoredTensor& result : results) {
    PLIANT_ASSIGN_OR_RETURN(Tensor output, session::hand_out(result));
    outputs.push_back(std::move(output));
  }
  return outputs;
}

Result<std::vector<Tensor>> Session::run(std::span<const NamedTensor> inputs,
                                         const RunOptions& /*options*/) {
  Result<std::vector<Tensor>> outputs = [&]() -> Result<std::vector<Tensor>> {
    try {
      return state_->run(inputs);
    } catch (const std::bad_alloc&) {
      return make_error(ErrorCode::kResourceExhausted, "the system has no more memory");
    }
  }();
  if (outputs) {
    ++state_->runs;
    return outputs;
  }
  ++state_->failed_runs;
  state_->log.write([&] {
    return LogEvent{LogEvent::Level::kError,
                    "run",
                    {{"error", error_code_name(outputs.error().code)},
                     {"message", outputs.error().message},
                     {"where", outputs.error().where}}};
  });
  return outputs;
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
  return statistics;
}

std::size_t Session::trim() {
  return state_->pool.trim();
}

}  // namespace pliant
