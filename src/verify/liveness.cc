#include "verify/liveness.h"

#include <algorithm>
#include <cstdint>

#include "base/result.h"

namespace pliant::verify {
namespace {

/// Slots alive at the starts of all blocks together; 16 bytes each.
constexpr std::size_t kMaxLive = std::size_t{1} << 24;

/// By slot: blocks that read it before they write it, and blocks that write it.
struct SlotBlocks {
  std::vector<std::vector<int>> readers;
  std::vector<std::vector<int>> writers;
};

SlotBlocks blocks_of_slots(const Program& program, const ControlFlow& flow, const Slots& slots) {
  const auto slot_count = static_cast<std::size_t>(slots.count());
  SlotBlocks blocks{std::vector<std::vector<int>>(slot_count),
                    std::vector<std::vector<int>>(slot_count)};
  std::vector<int> written_in(slot_count, -1);
  std::vector<int> read_in(slot_count, -1);
  const int block_count = static_cast<int>(flow.blocks.size());
  for (int block = 0; block < block_count; ++block) {
    const auto b = static_cast<std::size_t>(block);
    for (std::size_t i = flow.blocks[b].begin; i < flow.blocks[b].end; ++i) {
      slots.for_each_use(i, [&](int slot) {
        const auto s = static_cast<std::size_t>(slot);
        if (written_in[s] != block && read_in[s] != block) {
          read_in[s] = block;
          blocks.readers[s].push_back(block);
        }
      });
      slots.for_each_definition(i, [&](int slot) {
        const auto s = static_cast<std::size_t>(slot);
        if (written_in[s] != block) {
          written_in[s] = block;
          blocks.writers[s].push_back(block);
        }
      });
    }
  }
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    blocks.readers[static_cast<std::size_t>(slots.output(i))].push_back(block_count - 1);
  }
  return blocks;
}

}  // namespace

Result<std::vector<std::vector<int>>> find_live_slots(const Program& program,
                                                      const ControlFlow& flow, const Slots& slots) {
  const SlotBlocks blocks = blocks_of_slots(program, flow, slots);
  // Backwards from each reader until a writer, one slot after the other, so that the lists come out
  // in order.
  const std::size_t block_count = flow.blocks.size();
  std::vector<std::vector<int>> live(block_count);
  std::vector<int> live_slot(block_count, -1);
  std::vector<int> writes_slot(block_count, -1);
  std::vector<int> stack;
  std::size_t total = 0;
  for (std::size_t s = 0; s < blocks.readers.size(); ++s) {
    const int slot = static_cast<int>(s);
    for (const int block : blocks.writers[s]) {
      writes_slot[static_cast<std::size_t>(block)] = slot;
    }
    stack = blocks.readers[s];
    while (!stack.empty()) {
      const auto block = static_cast<std::size_t>(stack.back());
      stack.pop_back();
      if (live_slot[block] == slot) {
        continue;
      }
      live_slot[block] = slot;
      live[block].push_back(slot);
      if (++total > kMaxLive) {
        return make_error(ErrorCode::kResourceExhausted,
                          "too many registers live across too many branches: more than {}",
                          kMaxLive);
      }
      for (const int predecessor : flow.blocks[block].predecessors) {
        if (writes_slot[static_cast<std::size_t>(predecessor)] != slot) {
          stack.push_back(predecessor);
        }
      }
    }
  }
  return live;
}

}  // namespace pliant::verify
