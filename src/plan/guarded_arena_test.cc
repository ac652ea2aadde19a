#include "plan/guarded_arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace pliant::plan {
namespace {

constexpr std::size_t kBytes = 128;
constexpr std::byte kPoison{0xff};

class GuardedArenaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!memory::kPoisonsMemory) {
      GTEST_SKIP() << "checked builds alone guard the arena";
    }
    std::memset(arena_, 1, kBytes);
  }

  [[nodiscard]] bool is_poison(std::size_t begin, std::size_t end) const {
    return std::all_of(arena_ + begin, arena_ + end, [](std::byte b) { return b == kPoison; });
  }
  void write(std::size_t begin, std::size_t end) { std::memset(arena_ + begin, 2, end - begin); }

  alignas(kBlockAlignment) std::byte arena_[kBytes];
};

TEST_F(GuardedArenaTest, ABlockBeginsAsPoisonAndEndsAsPoison) {
  BoundRun run;
  run.arena_bytes = kBytes;
  run.blocks = {{64, 0, 1, 0}, {60, 1, 2, 64}, {64, 2, 2, 0}};
  {
    GuardedArena guard(arena_, run);
    guard.begin_step(0);
    EXPECT_TRUE(is_poison(0, 64));
    write(0, 64);
    guard.begin_step(1);
    EXPECT_FALSE(is_poison(0, 64));  // still needed
    EXPECT_TRUE(is_poison(64, 124));
    write(64, 124);
    guard.begin_step(2);
    EXPECT_TRUE(is_poison(0, 64));  // another block now
    EXPECT_FALSE(is_poison(64, 124));
    guard.begin_step(3);
  }
  EXPECT_TRUE(is_poison(0, kBytes));
}

TEST_F(GuardedArenaTest, BlocksOfStepsWithoutCallsStayClosed) {
  BoundRun run;
  run.arena_bytes = kBytes;
  run.blocks = {{64, 1, 1, 0}, {64, 3, 3, 0}};
  GuardedArena guard(arena_, run);
  guard.begin_step(0);
  guard.begin_step(3);
  EXPECT_TRUE(is_poison(0, 64));
  write(0, 64);
  guard.begin_step(3);
  EXPECT_FALSE(is_poison(0, 64));
}

TEST_F(GuardedArenaTest, NoMemoryIsNoTrouble) {
  BoundRun run;
  run.blocks = {{0, 0, 1, 0}};
  GuardedArena guard(nullptr, run);
  guard.begin_step(0);
  guard.begin_step(2);
}

}  // namespace
}  // namespace pliant::plan
