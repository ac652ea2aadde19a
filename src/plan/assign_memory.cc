#include "plan/assign_memory.h"

#include <algorithm>
#include <numeric>

namespace pliant::plan {
namespace {

std::size_t aligned(std::size_t bytes) {
  return (bytes + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
}

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
  std::vector<int> placed;  // by offset
  placed.reserve(order.size());
  std::size_t total = 0;
  for (const int index : order) {
    Block& block = at(index);
    const std::size_t bytes = aligned(block.bytes);
    std::size_t offset = 0;
    for (const int other_index : placed) {
      const Block& other = at(other_index);
      if (other.last_step < block.first_step || other.first_step > block.last_step) {
        continue;
      }
      if (offset + bytes <= other.offset) {
        break;
      }
      offset = std::max(offset, other.offset + aligned(other.bytes));
    }
    block.offset = offset;
    total = std::max(total, offset + bytes);
    const auto place =
        std::upper_bound(placed.begin(), placed.end(), offset,
                         [&](std::size_t value, int other) { return value < at(other).offset; });
    placed.insert(place, index);
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
