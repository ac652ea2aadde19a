#include "plan/memory_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <vector>

namespace pliant::plan {
namespace {

/// What each block of the arena holds.
std::vector<std::string> holders(const Plan& plan, const BoundRun& run,
                                 const Scratchpad& scratchpad, std::span<const CallDetails> calls,
                                 std::span<const std::string> values) {
  std::vector<std::string> names(run.blocks.size());
  const auto add = [&](std::size_t block, const std::string& name) {
    names[block] += (names[block].empty() ? "" : ", ") + name;
  };
  const auto block_of = [&](const TensorView& tensor) -> int {
    const std::optional<Place> place = place_at(tensor.data);
    if (!place) {
      return -1;
    }
    const Buffer& entry = run.buffers[static_cast<std::size_t>(place->buffer)];
    return entry.kind == Buffer::Kind::kArena ? entry.index : -1;
  };
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const int block = block_of(scratchpad.values.view(static_cast<int>(i)));
    if (block >= 0 && !values[i].empty()) {
      add(static_cast<std::size_t>(block), values[i]);
    }
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const BoundCall& call = run.call_information[i];
    if (call.scratch >= 0) {
      add(static_cast<std::size_t>(call.scratch), "scratch");
    }
    for (const TensorView& output : calls[i].outputs) {
      const int block = block_of(output);
      if (block >= 0 && names[static_cast<std::size_t>(block)].empty()) {
        add(static_cast<std::size_t>(block), call.origin.kind == CallOrigin::Kind::kCopy
                                                 ? "row-major copy"
                                                 : "between kernel and group");
      }
    }
  }
  return names;
}

std::string name_of(const Plan& plan, int live_out) {
  const LiveOut& out = plan.live_outs[static_cast<std::size_t>(live_out)];
  return out.kind == LiveOut::Kind::kProgramOutput
             ? "output " + plan.program->outputs[static_cast<std::size_t>(out.index)].name
             : fmt::format("register {}", out.index);
}

}  // namespace

std::string memory_map(const Plan& plan, const BoundRun& run, const Scratchpad& scratchpad,
                       std::span<const CallDetails> calls, std::span<const std::string> values) {
  const std::vector<std::string> names = holders(plan, run, scratchpad, calls, values);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < run.blocks.size(); ++i) {
    if (run.blocks[i].bytes > 0) {
      order.push_back(i);
    }
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Block& x = run.blocks[a];
    const Block& y = run.blocks[b];
    return std::tie(x.offset, x.first_step, a) < std::tie(y.offset, y.first_step, b);
  });
  std::string text;
  const auto out = std::back_inserter(text);
  const std::size_t bound = memory_lower_bound(run.blocks);
  fmt::format_to(out, "memory: {} bytes in {} buffer{}", run.arena_bytes, order.size(),
                 order.size() == 1 ? "" : "s");
  if (bound > 0) {
    fmt::format_to(out, "; at least {} are needed at one moment, ratio {:.3f}", bound,
                   static_cast<double>(run.arena_bytes) / static_cast<double>(bound));
  }
  text += '\n';
  if (!order.empty()) {
    fmt::format_to(out, "  {:>12} {:>12}  {:<11} {}\n", "offset", "bytes", "steps", "holds");
  }
  for (const std::size_t i : order) {
    const Block& block = run.blocks[i];
    fmt::format_to(out, "  {:12} {:12}  {:<11} {}\n", block.offset, block.bytes,
                   fmt::format("{}..{}", block.first_step, block.last_step), names[i]);
  }
  for (const Buffer& buffer : run.buffers) {
    if (buffer.kind == Buffer::Kind::kLiveOut) {
      fmt::format_to(out, "  {:>12} {:12}  {:<11} {}\n", "its own", buffer.bytes, "",
                     name_of(plan, buffer.index));
    }
  }
  return text;
}

}  // namespace pliant::plan
