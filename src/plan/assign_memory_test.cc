#include "plan/assign_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace pliant::plan {
namespace {

using Random = std::mt19937;
using Blocks = std::vector<Block>;

int below(Random& random, int limit) {
  return static_cast<int>(random() % static_cast<unsigned>(limit));
}

Block block(std::size_t bytes, int first_step, int steps_more) {
  return {bytes, first_step, first_step + steps_more, 0};
}

/// Any sizes at any steps.
Blocks scattered(Random& random) {
  Blocks blocks;
  for (int count = below(random, 60); count > 0; --count) {
    const std::size_t bytes = below(random, 5) == 0 ? 0 : random() % 5000;
    blocks.push_back(block(bytes, below(random, 40), below(random, 6)));
  }
  return blocks;
}

/// The same, so large that alignment is nothing.
Blocks large(Random& random) {
  Blocks blocks;
  for (int count = 60; count > 0; --count) {
    blocks.push_back(
        block((1 + random() % 5000) * kBlockAlignment, below(random, 40), below(random, 6)));
  }
  return blocks;
}

/// Tensors of three sizes, one or two a step, some of which live long.
Blocks of_few_sizes(Random& random) {
  const std::size_t sizes[] = {random() % 64'000, random() % 64'000, random() % 64'000};
  constexpr int kStepsMore[] = {0, 1, 1, 1, 2, 2, 3, 8, 20};
  Blocks blocks;
  for (int step = 0, steps = 5 + below(random, 55); step < steps; ++step) {
    for (int count = 1 + below(random, 2); count > 0; --count) {
      blocks.push_back(block(sizes[below(random, 3)], step, kStepsMore[below(random, 9)]));
    }
  }
  return blocks;
}

/// A chain whose tensors grow and shrink, with skip connections and scratch.
Blocks of_a_model(Random& random) {
  Blocks blocks;
  std::size_t bytes = (1 + random() % 200) * kBlockAlignment;
  for (int step = 0, steps = 3 + below(random, 77); step < steps; ++step) {
    if (below(random, 5) == 0) {
      bytes = below(random, 2) == 0 ? bytes * 2 : bytes / 2 + 1;
    }
    blocks.push_back(block(bytes, step, below(random, 5) == 0 ? below(random, 30) : 1));
    if (below(random, 5) < 2) {
      blocks.push_back(block(random() % (2 * bytes), step, 0));
    }
  }
  return blocks;
}

bool overlap(const Block& a, const Block& b) {
  const bool in_time = a.first_step <= b.last_step && b.first_step <= a.last_step;
  const bool in_place = a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
  return in_time && in_place && a.bytes > 0 && b.bytes > 0;
}

/// The most blocks that one step needs.
std::size_t most_at_once(const Blocks& blocks) {
  std::size_t most = 0;
  for (const Block& at : blocks) {
    most = std::max(most,
                    static_cast<std::size_t>(std::ranges::count_if(blocks, [&](const Block& other) {
                      return other.bytes > 0 && other.first_step <= at.first_step &&
                             at.first_step <= other.last_step;
                    })));
  }
  return most;
}

class AssignMemory : public ::testing::TestWithParam<Blocks (*)(Random&)> {};

TEST_P(AssignMemory, BlocksNeededAtTheSameTimeDoNotOverlap) {
  Random random(7);
  MemoryAssignment memory;
  for (int round = 0; round < 200; ++round) {
    Blocks blocks = GetParam()(random);
    const std::size_t total = memory.assign(blocks);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      ASSERT_EQ(blocks[i].offset % kBlockAlignment, 0U);
      ASSERT_LE(blocks[i].bytes == 0 ? 0 : blocks[i].offset + blocks[i].bytes, total);
      for (std::size_t j = 0; j < i; ++j) {
        ASSERT_FALSE(overlap(blocks[i], blocks[j])) << i << " and " << j;
      }
    }
  }
}

TEST_P(AssignMemory, TakesHardlyMoreThanTheLeast) {
  Random random(8);
  MemoryAssignment memory;
  for (int round = 0; round < 1000; ++round) {
    Blocks blocks = GetParam()(random);
    const std::size_t total = memory.assign(blocks);
    const std::size_t least = memory_lower_bound(blocks);
    ASSERT_GE(total, least);
    ASSERT_LE(total, least + least / 10 + 64 * most_at_once(blocks)) << "round " << round;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, AssignMemory,
                         ::testing::Values(scattered, large, of_few_sizes, of_a_model));

TEST(AssignMemoryOnce, AChainTakesWhatTwoNeighboursNeed) {
  Blocks blocks;
  for (int i = 0; i < 50; ++i) {
    blocks.push_back({64000, i, i + 1, 0});
  }
  EXPECT_EQ(MemoryAssignment().assign(blocks), 128000U);
  EXPECT_EQ(memory_lower_bound(blocks), 128000U);
}

// The largest first would put the scratch of step 6 below what steps 4 to 6 hand on.
TEST(AssignMemoryOnce, AnotherOrderIsTriedWhereTheLargestFirstWastes) {
  Blocks blocks = {{32320, 0, 1, 0},  {1600, 1, 1, 0},   {129280, 1, 4, 0},
                   {129280, 4, 5, 0}, {129280, 5, 6, 0}, {153984, 6, 6, 0}};
  const std::size_t least = memory_lower_bound(blocks);
  EXPECT_EQ(least, 129280U + 153984U);
  EXPECT_EQ(MemoryAssignment().assign(blocks), least);
}

/// Blocks for which the largest first is not good enough, many times one behind the other.
Blocks of_repeated_layers(int layers) {
  Random random(10);
  Blocks layer = of_few_sizes(random);
  MemoryAssignment memory;
  while (memory.assign(layer) == 0 || memory.placings() <= layer.size()) {
    layer = of_few_sizes(random);
  }
  int steps = 0;
  for (const Block& block : layer) {
    steps = std::max(steps, block.last_step + 1);
  }
  Blocks blocks;
  for (int i = 0; i < layers; ++i) {
    for (Block block : layer) {
      block.first_step += i * steps;
      block.last_step += i * steps;
      blocks.push_back(block);
    }
  }
  return blocks;
}

TEST(AssignMemoryOnce, TheWorkIsBoundedHoweverLargeTheProgram) {
  for (const int layers : {1, 10, 300, 3000}) {
    Blocks blocks = of_repeated_layers(layers);
    MemoryAssignment memory;
    const std::size_t total = memory.assign(blocks);
    EXPECT_LE(memory.placings(), std::max(blocks.size(), MemoryAssignment::kMostPlacings));
    // The orders are for programs up to some thousand blocks; of all others the first is no bad one.
    const std::size_t least = memory_lower_bound(blocks);
    EXPECT_LE(total,
              least + least / (layers <= 10 ? 10 : 5) + 64 * most_at_once(of_repeated_layers(1)))
        << layers;
  }
}

TEST(AssignMemoryOnce, IsTheSameWhateverCameBefore) {
  Random random(9);
  MemoryAssignment used;
  for (int round = 0; round < 50; ++round) {
    Blocks blocks = large(random);
    Blocks again = blocks;
    EXPECT_EQ(used.assign(blocks), MemoryAssignment().assign(again));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_EQ(blocks[i].offset, again[i].offset);
    }
  }
}

TEST(AssignMemoryOnce, NothingTakesNothing) {
  Blocks none;
  EXPECT_EQ(MemoryAssignment().assign(none), 0U);
  Blocks empty{{0, 0, 3, 0}};
  EXPECT_EQ(MemoryAssignment().assign(empty), 0U);
  EXPECT_EQ(memory_lower_bound(none), 0U);
}

}  // namespace
}  // namespace pliant::plan
