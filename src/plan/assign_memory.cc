#include "plan/assign_memory.h"

#include <algorithm>
#include <numeric>

namespace pliant::plan {
namespace {

std::size_t aligned(std::size_t bytes) {
  return (bytes + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
}

/// The blocks that have a place, found by the steps that they are needed in. Most are needed in few
/// steps, so few others have to be looked at.
class PlacedBlocks {
 public:
  explicit PlacedBlocks(const std::vector<Block>& blocks) : blocks_(blocks) {
    int last = 0;
    for (const Block& block : blocks) {
      last = std::max(last, block.last_step);
    }
    first_.assign(static_cast<std::size_t>(last) + 1, -1);
    seen_.assign(blocks.size(), -1);
  }

  void add(int index) {
    const Block& block = blocks_[static_cast<std::size_t>(index)];
    for (int step = block.first_step; step <= block.last_step; ++step) {
      int& head = first_[static_cast<std::size_t>(step)];
      links_.push_back({index, head});
      head = static_cast<int>(links_.size()) - 1;
    }
  }

  /// Those that are needed when `block` is, by offset.
  const std::vector<int>& at_the_time_of(const Block& block) {
    found_.clear();
    ++query_;
    for (int step = block.first_step; step <= block.last_step; ++step) {
      for (int link = first_[static_cast<std::size_t>(step)]; link >= 0;
           link = links_[static_cast<std::size_t>(link)].next) {
        const int index = links_[static_cast<std::size_t>(link)].block;
        int& seen = seen_[static_cast<std::size_t>(index)];
        if (seen != query_) {
          seen = query_;
          found_.push_back(index);
        }
      }
    }
    std::sort(found_.begin(), found_.end(), [this](int a, int b) {
      return blocks_[static_cast<std::size_t>(a)].offset <
             blocks_[static_cast<std::size_t>(b)].offset;
    });
    return found_;
  }

 private:
  struct Link {
    int block;
    int next;
  };
  const std::vector<Block>& blocks_;
  std::vector<int> first_;  ///< by step: the head of a list in links_
  std::vector<Link> links_;
  std::vector<int> seen_;  ///< by block: the query that found it last
  std::vector<int> found_;
  int query_ = 0;
};

}  // namespace

std::size_t assign_memory(std::vector<Block>& blocks) {
  std::vector<int> order;
  order.reserve(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].bytes > 0) {
      order.push_back(static_cast<int>(i));
    }
  }
  const auto at = [&](int index) -> Block& { return blocks[static_cast<std::size_t>(index)]; };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return at(a).bytes != at(b).bytes ? at(a).bytes > at(b).bytes : a < b;
  });
  PlacedBlocks placed(blocks);
  std::size_t total = 0;
  for (const int index : order) {
    Block& block = at(index);
    const std::size_t bytes = aligned(block.bytes);
    std::size_t offset = 0;
    for (const int other_index : placed.at_the_time_of(block)) {
      const Block& other = at(other_index);
      if (offset + bytes <= other.offset) {
        break;
      }
      offset = std::max(offset, other.offset + aligned(other.bytes));
    }
    block.offset = offset;
    total = std::max(total, offset + bytes);
    placed.add(index);
  }
  return total;
}

std::size_t memory_lower_bound(const std::vector<Block>& blocks) {
  std::size_t bound = 0;
  for (const Block& at : blocks) {  // a maximum is reached where some block begins
    std::size_t sum = 0;
    for (const Block& block : blocks) {
      if (block.first_step <= at.first_step && at.first_step <= block.last_step) {
        sum += block.bytes;
      }
    }
    bound = std::max(bound, sum);
  }
  return bound;
}

}  // namespace pliant::plan
