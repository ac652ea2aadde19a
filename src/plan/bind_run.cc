#include "plan/bind_run.h"

#include <algorithm>
#include <utility>

#include "kernels/movement/copy.h"
#include "plan/row_blocks.h"

namespace pliant::plan {
namespace {

using bind::BindContext;
using bind::BindContextFiller;

/// Binds calls of one run at given addresses.
class Binding {
 public:
  Binding(const Plan& plan, const Addresses& addresses, std::uint64_t run_number,
          Scratchpad& scratchpad, BoundRun& run)
      : plan_(plan),
        addresses_(addresses),
        run_number_(run_number),
        scratchpad_(scratchpad),
        run_(run) {}

  /// The call of a pending instruction, group or copy; a group that its kernel took has no work.
  /// Valid until the next call.
  const kernels::KernelCall& bind(Rebinding& pending, Rebinding* group) {
    call_.clear();
    switch (pending.kind) {
      case Rebinding::Kind::kInstruction:
        return bind_instruction(pending, group);
      case Rebinding::Kind::kGroup:
        bind_group(pending);
        break;
      case Rebinding::Kind::kCopy:
        if (pending.outputs[0].view.element_count() > 0) {
          call_.set(&kernels::copy_strided, kernels::copy_arguments(resolve(pending.inputs[0]),
                                                                    resolve(pending.outputs[0])));
        }
        break;
    }
    return call_;
  }

  /// True when the run's own memory, random numbers or elements are involved.
  [[nodiscard]] bool depends_on_run(const Rebinding& pending) const {
    if (pending.kind == Rebinding::Kind::kInstruction) {
      const Step& step = plan_.steps[static_cast<std::size_t>(pending.step)];
      if (step.is_random || step.op->check != nullptr) {
        return true;
      }
    }
    const auto outside = [this](const Located& tensor) {
      return tensor.buffer >= 0 &&
             run_.buffers[static_cast<std::size_t>(tensor.buffer)].kind != Buffer::Kind::kArena;
    };
    return std::any_of(pending.inputs.begin(), pending.inputs.end(), outside) ||
           std::any_of(pending.outputs.begin(), pending.outputs.end(), outside);
  }

 private:
  const kernels::KernelCall& bind_instruction(Rebinding& pending, Rebinding* group) {
    BindContext& context = *pending.context;
    BindContextFiller filler(context);
    for (std::size_t i = 0; i < pending.inputs.size(); ++i) {
      filler.inputs()[i].view.data = data_of(pending.inputs[i]);
    }
    for (std::size_t i = 0; i < pending.outputs.size(); ++i) {
      filler.outputs()[i].view.data = data_of(pending.outputs[i]);
    }
    const Step& step = plan_.steps[static_cast<std::size_t>(pending.step)];
    filler.set_numbers(run_number_, step.origin);
    context.call.clear();
    bind::EpilogueRequest request;
    if (group != nullptr) {
      resolve_all(*group);
      request = {&*step.group, std::span(scratchpad_.views).first(group->inputs.size()),
                 std::span(scratchpad_.views).subspan(group->inputs.size())};
      filler.request_epilogue(request);
    }
    // A step whose results nobody reads is there for its check alone.
    if (std::any_of(filler.outputs().begin(), filler.outputs().end(),
                    [](const BindContext::Output& output) { return output.wanted; })) {
      step.op->bind(context);
    }
    if (group != nullptr) {
      group->taken = filler.epilogue_taken();
    }
    return context.call;
  }

  void bind_group(const Rebinding& pending) {
    if (pending.taken) {
      return;
    }
    resolve_all(pending);
    const Step& step = plan_.steps[static_cast<std::size_t>(pending.step)];
    step.group->bind(call_, std::span(scratchpad_.views).first(pending.inputs.size()),
                     std::span(scratchpad_.views).subspan(pending.inputs.size()));
  }

  void resolve_all(const Rebinding& pending) {
    scratchpad_.views.clear();
    for (const Located& input : pending.inputs) {
      scratchpad_.views.push_back(resolve(input));
    }
    for (const Located& output : pending.outputs) {
      scratchpad_.views.push_back(resolve(output));
    }
  }

  [[nodiscard]] TensorView resolve(const Located& tensor) const {
    TensorView view = tensor.view;
    view.data = data_of(tensor);
    return view;
  }

  [[nodiscard]] void* data_of(const Located& tensor) const {
    if (tensor.buffer == Located::kFixedPlace) {
      return tensor.view.data;
    }
    if (tensor.is_constant()) {
      return moved(plan_.constants[tensor.constant()].view.data, tensor.offset);
    }
    const Buffer& buffer = run_.buffers[static_cast<std::size_t>(tensor.buffer)];
    const auto index = static_cast<std::size_t>(buffer.index);
    switch (buffer.kind) {
      case Buffer::Kind::kArena:
        return moved(addresses_.arena,
                     static_cast<std::int64_t>(run_.blocks[index].offset) + tensor.offset);
      case Buffer::Kind::kLiveIn:
        return moved(addresses_.live_ins[index].data, tensor.offset);
      case Buffer::Kind::kLiveOut:
        return moved(addresses_.live_outs[index], tensor.offset);
    }
    return nullptr;
  }

  /// Tensors without elements may have no memory at all.
  static void* moved(void* base, std::int64_t bytes) {
    return base == nullptr ? nullptr : static_cast<std::byte*>(base) + bytes;
  }

  const Plan& plan_;
  const Addresses& addresses_;
  std::uint64_t run_number_;
  Scratchpad& scratchpad_;
  BoundRun& run_;
  kernels::KernelCall call_;
};

/// The group that belongs to the kernel of `pending`, which is the next call.
Rebinding* group_behind(const Plan& plan, std::vector<Rebinding>& calls, std::size_t position,
                        std::size_t count) {
  Rebinding& pending = calls[position];
  const bool has_group = pending.kind == Rebinding::Kind::kInstruction &&
                         plan.steps[static_cast<std::size_t>(pending.step)].group.has_value();
  return has_group && position + 1 < count ? &calls[position + 1] : nullptr;
}

}  // namespace

void bind_all(const Plan& plan, const Addresses& addresses, std::uint64_t run_number,
              Scratchpad& scratchpad, BoundRun& run) {
  run.calls.clear();
  run.call_information.clear();
  run.origins.clear();
  run.rebindings.clear();
  Binding binding(plan, addresses, run_number, scratchpad, run);
  std::vector<Rebinding>& pending = scratchpad.pending;
  const std::size_t count = scratchpad.pending_count;
  // Bind everything first: what is kept moves out of the list.
  for (std::size_t i = 0; i < count; ++i) {
    Rebinding* const group = group_behind(plan, pending, i, count);
    pending[i].call = run.calls.append(binding.bind(pending[i], group));
    run.origins.push_back({pending[i].step, pending[i].kind});
    const int scratch = pending[i].scratch;
    run.call_information.push_back(
        {scratch < 0 ? 0 : run.blocks[static_cast<std::size_t>(scratch)].offset, -1});
  }
  find_row_blocks(plan, std::span(pending).first(count), run);
  for (std::size_t i = 0; i < count; ++i) {
    Rebinding* const group = group_behind(plan, pending, i, count);
    const bool keep = binding.depends_on_run(pending[i]) ||
                      (group != nullptr && group->taken && binding.depends_on_run(*group));
    if (!keep) {
      continue;
    }
    const Step* const step = pending[i].kind == Rebinding::Kind::kInstruction
                                 ? &plan.steps[static_cast<std::size_t>(pending[i].step)]
                                 : nullptr;
    if (step != nullptr && step->op->check != nullptr) {
      run.call_information[pending[i].call].check = static_cast<int>(run.rebindings.size());
    }
    // A kernel and its group stay neighbours.
    const bool with_group = group != nullptr;
    run.rebindings.push_back(std::move(pending[i]));
    if (with_group) {
      run.rebindings.push_back(std::move(pending[i + 1]));
      ++i;
    }
  }
}

void bind_again(const Plan& plan, const Addresses& addresses, std::uint64_t run_number,
                Scratchpad& scratchpad, BoundRun& run) {
  Binding binding(plan, addresses, run_number, scratchpad, run);
  for (std::size_t i = 0; i < run.rebindings.size(); ++i) {
    Rebinding* const group = group_behind(plan, run.rebindings, i, run.rebindings.size());
    run.calls.replace(run.rebindings[i].call, binding.bind(run.rebindings[i], group));
  }
}

}  // namespace pliant::plan
