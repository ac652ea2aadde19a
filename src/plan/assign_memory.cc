#include "plan/assign_memory.h"

#include <algorithm>
#include <cstdint>

namespace pliant::plan {
namespace {

std::size_t aligned(std::size_t bytes) {
  return (bytes + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
}

/// Numbers that look random and are the same everywhere: splitmix64.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

std::size_t step_count(const std::vector<Block>& blocks) {
  int last = -1;
  for (const Block& block : blocks) {
    last = std::max(last, block.last_step);
  }
  return static_cast<std::size_t>(last + 1);
}

/// `changes` is memory to work in.
MemoryNeed largest_need(const std::vector<Block>& blocks, std::size_t steps,
                        std::vector<MemoryNeed>& changes) {
  // From one step to the next; unsigned numbers wrap, and back again.
  changes.assign(steps + 1, {});
  for (const Block& block : blocks) {
    MemoryNeed& first = changes[static_cast<std::size_t>(block.first_step)];
    MemoryNeed& end = changes[static_cast<std::size_t>(block.last_step) + 1];
    first.bytes += block.bytes;
    first.aligned_bytes += aligned(block.bytes);
    end.bytes -= block.bytes;
    end.aligned_bytes -= aligned(block.bytes);
  }
  MemoryNeed now;
  MemoryNeed largest;
  for (const MemoryNeed& change : changes) {
    now.bytes += change.bytes;
    now.aligned_bytes += change.aligned_bytes;
    largest.bytes = std::max(largest.bytes, now.bytes);
    largest.aligned_bytes = std::max(largest.aligned_bytes, now.aligned_bytes);
  }
  return largest;
}

}  // namespace

std::size_t MemoryAssignment::assign(std::vector<Block>& blocks) {
  constexpr int kMoreOrders = 200;  // models have needed 5, random blocks 60
  sort_by_size(blocks);
  const std::size_t steps = step_count(blocks);
  placed_at_.resize(steps);
  placings_ = 0;
  std::size_t best = place(blocks);
  best_offsets_.swap(offsets_);
  const MemoryNeed need = largest_need(blocks, steps, needs_);
  const std::size_t enough = need.aligned_bytes + need.bytes / 10;
  std::uint64_t state = 0;
  for (int i = 0; i < kMoreOrders && best > enough; ++i) {
    if (placings_ + order_.size() > kMostPlacings) {
      break;
    }
    // What came to lie on top takes its turn earlier, even if the next assignment is worse for it.
    const auto top = order_.begin() + static_cast<std::ptrdiff_t>(highest_);
    const auto turn = static_cast<std::ptrdiff_t>(next_random(state) % (highest_ + 1));
    std::rotate(order_.begin() + turn, top, top + 1);
    const std::size_t total = place(blocks);
    if (total < best) {
      best = total;
      best_offsets_.swap(offsets_);
    }
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].offset = best_offsets_[i];
  }
  return best;
}

void MemoryAssignment::sort_by_size(const std::vector<Block>& blocks) {
  if (keeps_order(blocks)) {
    return;
  }
  order_.clear();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].bytes > 0) {
      order_.push_back({aligned(blocks[i].bytes), static_cast<int>(i)});
    }
  }
  std::sort(order_.begin(), order_.end(), comes_before);
}

/// Whether the order of the last call is that of these blocks, too, which may well be the same ones at
/// another signature.
bool MemoryAssignment::keeps_order(const std::vector<Block>& blocks) {
  const auto in_use = std::count_if(blocks.begin(), blocks.end(),
                                    [](const Block& block) { return block.bytes > 0; });
  if (static_cast<std::size_t>(in_use) != order_.size()) {
    return false;
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const auto block = static_cast<std::size_t>(order_[i].block);
    if (block >= blocks.size() || blocks[block].bytes == 0) {
      return false;
    }
    order_[i].bytes = aligned(blocks[block].bytes);
    if (i > 0 && !comes_before(order_[i - 1], order_[i])) {
      return false;
    }
  }
  return true;
}

std::size_t MemoryAssignment::place(const std::vector<Block>& blocks) {
  link_count_ = 0;
  placed_at_.assign(placed_at_.size(), {});
  offsets_.assign(blocks.size(), 0);
  placings_ += order_.size();
  std::size_t total = 0;
  for (std::size_t turn = 0; turn < order_.size(); ++turn) {
    const auto index = static_cast<std::size_t>(order_[turn].block);
    const std::size_t bytes = order_[turn].bytes;
    find_neighbours(blocks[index]);
    std::size_t offset = 0;
    for (const Stretch& other : neighbours_) {
      if (offset + bytes <= other.begin) {
        break;
      }
      offset = std::max(offset, other.end);
    }
    offsets_[index] = offset;
    note_placed(blocks[index], {offset, offset + bytes});
    if (offset + bytes > total) {
      total = offset + bytes;
      highest_ = turn;
    }
  }
  return total;
}

void MemoryAssignment::find_neighbours(const Block& block) {
  neighbours_.clear();
  const auto add = [this](int link) {
    for (; link >= 0; link = links_[static_cast<std::size_t>(link)].next) {
      // Into its place from behind: there are few.
      const Stretch stretch = links_[static_cast<std::size_t>(link)].stretch;
      std::size_t place = neighbours_.size();
      neighbours_.push_back(stretch);
      for (; place > 0 && neighbours_[place - 1].begin > stretch.begin; --place) {
        neighbours_[place] = neighbours_[place - 1];
      }
      neighbours_[place] = stretch;
    }
  };
  add(placed_at_[static_cast<std::size_t>(block.first_step)].needed_before);
  for (int step = block.first_step; step <= block.last_step; ++step) {
    add(placed_at_[static_cast<std::size_t>(step)].first_needed);
  }
}

void MemoryAssignment::note_placed(const Block& block, const Stretch& stretch) {
  const std::size_t most =
      link_count_ + static_cast<std::size_t>(block.last_step - block.first_step) + 1;
  if (links_.size() < most) {
    links_.resize(2 * most);
  }
  const auto add = [&](int& head) {
    links_[link_count_] = {stretch, head};
    head = static_cast<int>(link_count_++);
  };
  add(placed_at_[static_cast<std::size_t>(block.first_step)].first_needed);
  for (int step = block.first_step + 1; step <= block.last_step; ++step) {
    add(placed_at_[static_cast<std::size_t>(step)].needed_before);
  }
}

std::size_t memory_lower_bound(const std::vector<Block>& blocks) {
  std::vector<MemoryNeed> changes;
  return largest_need(blocks, step_count(blocks), changes).bytes;
}

}  // namespace pliant::plan
