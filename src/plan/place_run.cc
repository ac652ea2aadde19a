#include "plan/place_run.h"

#include <algorithm>

namespace pliant::plan {
namespace {

/// Tensors without elements may have no memory at all.
void* moved(void* base, std::int64_t bytes) {
  return base == nullptr ? nullptr : static_cast<std::byte*>(base) + bytes;
}

void* address_in(const BoundRun& run, const Addresses& addresses, const Place& place) {
  const Buffer& buffer = run.buffers[static_cast<std::size_t>(place.buffer)];
  const auto index = static_cast<std::size_t>(buffer.index);
  switch (buffer.kind) {
    case Buffer::Kind::kArena:
      return moved(addresses.arena,
                   static_cast<std::int64_t>(run.blocks[index].offset) + place.offset);
    case Buffer::Kind::kLiveIn:
      return moved(addresses.live_ins[index].data, place.offset);
    case Buffer::Kind::kLiveOut:
      return moved(addresses.live_outs[index], place.offset);
  }
  return nullptr;
}

void* real_address(const BoundRun& run, const Addresses& addresses, void* address) {
  const std::optional<Place> place = place_at(address);
  return place ? address_in(run, addresses, *place) : address;
}

void bind_again(const Plan& plan, const Addresses& addresses, std::uint64_t run_number,
                Rebinding& rebinding, BoundRun& run) {
  const Step& step =
      plan.steps[static_cast<std::size_t>(run.call_information[rebinding.call].origin.step)];
  bind::BindContext& context = *rebinding.context;
  bind::BindContextFiller filler(context);
  for (std::size_t i = 0; i < rebinding.inputs.size(); ++i) {
    filler.inputs()[i].view.data = real_address(run, addresses, rebinding.inputs[i]);
  }
  bool wanted = false;
  for (std::size_t i = 0; i < rebinding.outputs.size(); ++i) {
    filler.outputs()[i].view.data = real_address(run, addresses, rebinding.outputs[i]);
    wanted = wanted || filler.outputs()[i].wanted;
  }
  filler.set_numbers(run_number, step.origin);
  // A step whose results nobody reads is there for its check alone.
  if (wanted) {
    context.call.clear();
    step.op->bind(context);
    run.calls.replace(rebinding.call, context.call);
  }
}

}  // namespace

void place_in_arena(const Scratchpad& scratchpad, std::byte* arena, BoundRun& run) {
  run.outside_addresses.clear();
  for (const BoundAddress& address : scratchpad.addresses) {
    const Buffer& buffer = run.buffers[static_cast<std::size_t>(address.place.buffer)];
    if (buffer.kind == Buffer::Kind::kArena) {
      const Block& block = run.blocks[static_cast<std::size_t>(buffer.index)];
      run.calls.set_address(address.position, moved(arena, static_cast<std::int64_t>(block.offset) +
                                                               address.place.offset));
    } else {
      run.outside_addresses.push_back(address);
    }
  }
}

void place_run(const Plan& plan, const Addresses& addresses, std::uint64_t run_number,
               BoundRun& run) {
  for (const BoundAddress& address : run.outside_addresses) {
    run.calls.set_address(address.position, address_in(run, addresses, address.place));
  }
  for (Rebinding& rebinding : run.rebindings) {
    bind_again(plan, addresses, run_number, rebinding, run);
  }
}

}  // namespace pliant::plan
