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

/// The largest sums of blocks that one step needs.
struct Need {
  std::size_t bytes = 0;
  std::size_t aligned_bytes = 0;
};

Need largest_need(const std::vector<Block>& blocks) {
  struct Change {  // from one step to the next; unsigned numbers wrap, and back again
    std::size_t bytes = 0;
    std::size_t aligned_bytes = 0;
  };
  std::vector<Change> changes(step_count(blocks) + 1);
  for (const Block& block : blocks) {
    Change& first = changes[static_cast<std::size_t>(block.first_step)];
    Change& end = changes[static_cast<std::size_t>(block.last_step) + 1];
    first.bytes += block.bytes;
    first.aligned_bytes += aligned(block.bytes);
    end.bytes -= block.bytes;
    end.aligned_bytes -= aligned(block.bytes);
  }
  Need now;
  Need largest;
  for (const Change& change : changes) {
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
  step_count_ = step_count(blocks);
  placings_ = 0;
  std::size_t best = place(blocks);
  best_offsets_.swap(offsets_);
  const Need need = largest_need(blocks);
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
  order_.clear();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].bytes > 0) {
      order_.push_back({aligned(blocks[i].bytes), static_cast<int>(i)});
    }
  }
  std::sort(order_.begin(), order_.end(), [](const Turn& a, const Turn& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.block < b.block;
  });
}

std::size_t MemoryAssignment::place(const std::vector<Block>& blocks) {
  links_.clear();
  needed_at_.assign(step_count_, -1);
  first_needed_at_.assign(step_count_, -1);
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
  add(needed_at_[static_cast<std::size_t>(block.first_step)]);
  for (int step = block.first_step + 1; step <= block.last_step; ++step) {
    add(first_needed_at_[static_cast<std::size_t>(step)]);
  }
}

void MemoryAssignment::note_placed(const Block& block, const Stretch& stretch) {
  const auto add = [&](int& head) {
    links_.push_back({stretch, head});
    head = static_cast<int>(links_.size()) - 1;
  };
  add(first_needed_at_[static_cast<std::size_t>(block.first_step)]);
  for (int step = block.first_step; step <= block.last_step; ++step) {
    add(needed_at_[static_cast<std::size_t>(step)]);
  }
}

std::size_t memory_lower_bound(const std::vector<Block>& blocks) {
  return largest_need(blocks).bytes;
}

}  // namespace pliant::plan
