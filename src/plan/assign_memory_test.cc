#include "plan/assign_memory.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant::plan {
namespace {

bool overlap(const Block& a, const Block& b) {
  const bool in_time = a.first_step <= b.last_step && b.first_step <= a.last_step;
  const bool in_place = a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
  return in_time && in_place && a.bytes > 0 && b.bytes > 0;
}

TEST(AssignMemory, BlocksNeededAtTheSameTimeDoNotOverlap) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Block> blocks(random() % 60);
    for (Block& block : blocks) {
      block.bytes = random() % 5 == 0 ? 0 : random() % 5000;
      block.first_step = static_cast<int>(random() % 40);
      block.last_step = block.first_step + static_cast<int>(random() % 6);
    }
    const std::size_t total = assign_memory(blocks);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_EQ(blocks[i].offset % kBlockAlignment, 0U);
      EXPECT_LE(blocks[i].bytes == 0 ? 0 : blocks[i].offset + blocks[i].bytes, total);
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_FALSE(overlap(blocks[i], blocks[j])) << i << " and " << j;
      }
    }
    EXPECT_GE(total, memory_lower_bound(blocks));
  }
}

TEST(AssignMemory, AChainTakesWhatTwoNeighboursNeed) {
  std::vector<Block> blocks;
  for (int i = 0; i < 50; ++i) {
    blocks.push_back({64000, i, i + 1, 0});
  }
  EXPECT_EQ(assign_memory(blocks), 128000U);
  EXPECT_EQ(memory_lower_bound(blocks), 128000U);
}

TEST(AssignMemory, NothingTakesNothing) {
  std::vector<Block> none;
  EXPECT_EQ(assign_memory(none), 0U);
  std::vector<Block> empty{{0, 0, 3, 0}};
  EXPECT_EQ(assign_memory(empty), 0U);
}

}  // namespace
}  // namespace pliant::plan
