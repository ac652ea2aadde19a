#include "plan/run.h"

#include <algorithm>

#include "plan/guarded_arena.h"
#include "plan/lay_out.h"
#include "plan/place_run.h"
#include "plan/row_blocks.h"

namespace pliant::plan {
namespace {

/// Fresh memory for every live-out that has its own.
bool allocate_outputs(const BoundRun& run, const Environment& environment, RunResults& results,
                      std::vector<std::byte*>& addresses) {
  addresses.assign(run.outputs.size(), nullptr);
  for (const Buffer& buffer : run.buffers) {
    if (buffer.kind != Buffer::Kind::kLiveOut) {
      continue;
    }
    auto storage = environment.pool.allocate(DType::kU8, static_cast<std::int64_t>(buffer.bytes));
    if (!storage) {
      return false;
    }
    const auto index = static_cast<std::size_t>(buffer.index);
    addresses[index] = static_cast<std::byte*>((*storage)->data());
    results.tensors[index].storage = std::move(*storage);
  }
  return true;
}

/// Describes the live-outs over their memory.
void hand_out(const Plan& plan, const BoundRun& run, const RunArguments& arguments,
              const std::vector<std::byte*>& addresses, RunResults& results) {
  for (std::size_t i = 0; i < run.outputs.size(); ++i) {
    const BoundOutput& output = run.outputs[i];
    StoredTensor& tensor = results.tensors[i];
    results.sizes[i] = output.size;
    tensor.view = output.tensor;
    if (plan.live_outs[i].kind == LiveOut::Kind::kSizeRegister) {
      continue;
    }
    if (output.constant >= 0) {
      tensor.storage = plan.constants[static_cast<std::size_t>(output.constant)].storage;
      continue;
    }
    const std::optional<Place> place = place_at(output.tensor.data);
    PLIANT_CHECK(place.has_value());
    const Buffer& buffer = run.buffers[static_cast<std::size_t>(place->buffer)];
    const auto index = static_cast<std::size_t>(buffer.index);
    std::byte* base = nullptr;
    if (buffer.kind == Buffer::Kind::kLiveIn) {
      tensor.storage = arguments.live_ins[index].storage;
      base = static_cast<std::byte*>(arguments.live_ins[index].view.data);
    } else {
      tensor.storage = results.tensors[index].storage;
      base = addresses[index];
    }
    tensor.view.data = base == nullptr ? nullptr : base + place->offset;
  }
}

/// The instruction of the program that a call is for; behind the steps live-outs are copied.
std::size_t instruction_of(const Plan& plan, const BoundCall& call) {
  const auto step = static_cast<std::size_t>(call.origin.step);
  return step < plan.steps.size() ? plan.steps[step].origin : plan.end - 1;
}

/// Whether the elements that a call looks at are as they must be.
bool passes_check(const Plan& plan, const BoundRun& run, const BoundCall& call) {
  if (call.rebinding < 0) {
    return true;
  }
  const auto check = plan.steps[static_cast<std::size_t>(call.origin.step)].op->check;
  const Rebinding& rebinding = run.rebindings[static_cast<std::size_t>(call.rebinding)];
  return check == nullptr || check(*rebinding.context).has_value();
}

/// Runs the calls in order and says so after each one, or after those that run together: calls
/// [first, end). When a check of elements fails or the run is stopped, that is the reason returned, and
/// `results` says where.
template <class AfterCalls>
DeclineReason execute(const Plan& plan, const Environment& environment, std::byte* arena,
                      BoundRun& run, RunResults& results, AfterCalls after_calls) {
  GuardedArena guard(arena, run);
  const std::size_t count = run.calls.size();
  auto blocks = run.row_blocks.begin();
  for (std::size_t i = 0; i < count; ++i) {
    const BoundCall& call = run.call_information[i];
    guard.begin_step(call.origin.step);
    if (blocks != run.row_blocks.end() && blocks->first == i) {
      run_row_blocks(*blocks, run, environment, arena);
      after_calls(i, blocks->end);
      i = blocks->end - 1;
      ++blocks;
    } else {
      if (!passes_check(plan, run, call)) {
        return DeclineReason::kCheckFailed;
      }
      run.calls.run(i, {environment.parallel, run.scratch_of(call, arena), environment.level});
      after_calls(i, i + 1);
    }
    // Before anybody reads what a call that was stopped has left behind.
    if (environment.parallel.is_stopped()) {
      results.stopped_at = instruction_of(plan, call);
      return DeclineReason::kStopped;
    }
  }
  return DeclineReason::kNone;
}

DeclineReason execute_recorded(const Plan& plan, const Environment& environment, std::byte* arena,
                               BoundRun& run, RunResults& results, RunRecorder& recorder) {
  recorder.bound(results.newly_bound);
  std::vector<CallOrigin> origins;
  return execute(plan, environment, arena, run, results, [&](std::size_t first, std::size_t end) {
    origins.clear();
    for (std::size_t call = first; call < end; ++call) {
      if (run.calls.has_work(call)) {
        origins.push_back(run.call_information[call].origin);
      }
    }
    if (!origins.empty()) {
      recorder.called(origins);
    }
  });
}

}  // namespace

DeclineReason run(const Plan& plan, const RunArguments& arguments, const Environment& environment,
                  Workspace& workspace, RunResults& results, RunRecorder* recorder) {
  if (!plan.box.contains(arguments.signature)) {
    return DeclineReason::kOutsideBox;
  }
  std::vector<TensorView>& live_ins = workspace.live_ins;
  live_ins.clear();
  for (const StoredTensor& tensor : arguments.live_ins) {
    live_ins.push_back(tensor.view);
  }
  BoundRuns& bound_runs = workspace.bound_runs(plan);
  // A signature says nothing of strides: tensors that are not row-major (another segment may leave
  // such behind) are laid out anew each time.
  const bool row_major = std::all_of(live_ins.begin(), live_ins.end(),
                                     [](const TensorView& view) { return view.is_contiguous(); });
  BoundRun* bound = row_major ? bound_runs.find(arguments.signature) : nullptr;
  std::unique_ptr<BoundRun> fresh;
  if (bound == nullptr) {
    fresh = bound_runs.take_for_reuse();
    const DeclineReason reason =
        lay_out(plan, arguments.signature, live_ins, environment, workspace.scratchpad, *fresh);
    if (reason != DeclineReason::kNone) {
      return reason;
    }
    bound = fresh.get();
  }
  results.tensors.assign(plan.live_outs.size(), {});
  results.sizes.assign(plan.live_outs.size(), 0);
  results.newly_bound = fresh != nullptr;
  if (!allocate_outputs(*bound, environment, results, workspace.live_outs) ||
      !workspace.reserve(environment, bound->arena_bytes)) {
    return DeclineReason::kNoMemory;
  }
  if (fresh != nullptr) {
    place_in_arena(workspace.scratchpad, workspace.arena(), *bound);
    if (row_major) {
      bound_runs.insert(std::move(fresh));
    }
  }
  place_run(plan, {workspace.arena(), live_ins, workspace.live_outs}, arguments.run_number, *bound);
  const DeclineReason reason =
      recorder == nullptr
          ? execute(plan, environment, workspace.arena(), *bound, results,
                    [](std::size_t, std::size_t) {})
          : execute_recorded(plan, environment, workspace.arena(), *bound, results, *recorder);
  if (reason != DeclineReason::kNone) {
    return reason;
  }
  hand_out(plan, *bound, arguments, workspace.live_outs, results);
  workspace.note_need(bound->arena_bytes);
  return DeclineReason::kNone;
}

}  // namespace pliant::plan
