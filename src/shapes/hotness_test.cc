#include "shapes/hotness.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "shapes/bucket.h"

namespace pliant::shapes {
namespace {

/// A segment with one entry, of which a test runs one value after another.
class HotnessTest : public ::testing::Test {
 protected:
  Heat run(std::int64_t seq) { return hotness_.record(std::array{seq}).heat; }

  /// Runs it so often; the heat of the last run.
  Heat run(std::int64_t seq, int times) {
    Heat heat = Heat::kCold;
    for (int i = 0; i < times; ++i) {
      heat = run(seq);
    }
    return heat;
  }

  Box box_of(std::int64_t seq) const { return bucketed_box(entries_, std::array{seq}, 16); }

  std::vector<Entry> entries_{{.name = "seq"}};
  Hotness hotness_{entries_, PlanOptions{}};
};

TEST_F(HotnessTest, ABoxTurnsHotWithItsFiftiethRunInARow) {
  EXPECT_EQ(run(120, 49), Heat::kCold);
  EXPECT_EQ(run(120), Heat::kTurnedHot);
  EXPECT_EQ(run(120), Heat::kHot);
}

TEST_F(HotnessTest, SizesOfOneBucketAreOneRow) {
  for (int i = 0; i < 49; ++i) {
    EXPECT_EQ(run(113 + i % 16), Heat::kCold);
  }
  const auto last = hotness_.record(std::array{std::int64_t{128}});
  EXPECT_EQ(last.heat, Heat::kTurnedHot);
  EXPECT_EQ(*last.box, box_of(113));
}

TEST_F(HotnessTest, ARunOutsideEndsTheRow) {
  EXPECT_EQ(run(120, 49), Heat::kCold);
  EXPECT_EQ(run(10), Heat::kCold);
  EXPECT_EQ(run(120), Heat::kCold);
}

TEST_F(HotnessTest, FiveLengthsThatTakeTurnsTurnHotOnceEach) {
  std::vector<int> turned(5);
  for (int i = 0; i < 2000; ++i) {
    const int which = i % 5;
    turned[static_cast<std::size_t>(which)] += run(100 * (which + 1)) == Heat::kTurnedHot ? 1 : 0;
  }
  EXPECT_EQ(turned, std::vector<int>(5, 1));
}

// One run in 28 is 3.57 % of the traffic, one in 29 is 3.45 %.
TEST_F(HotnessTest, ABoxWithUnderThreeAndAHalfPercentNeverTurnsHot) {
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_EQ(run(i % 29 == 0 ? 1000 : 2000 + 16 * (i % 29)), Heat::kCold) << i;
  }
}

TEST_F(HotnessTest, ABoxWithOverThreeAndAHalfPercentDoes) {
  bool turned_hot = false;
  for (int i = 0; i < 20'000; ++i) {
    const Heat heat = run(i % 28 == 0 ? 1000 : 2000 + 16 * (i % 28));
    turned_hot |= i % 28 == 0 && heat == Heat::kTurnedHot;
  }
  EXPECT_TRUE(turned_hot);
}

TEST_F(HotnessTest, OldRunsLoseTheirWeight) {
  EXPECT_EQ(run(120, 45), Heat::kCold);
  run(10, 10'000);  // ten half-lives
  EXPECT_EQ(run(120, 49), Heat::kCold);
}

TEST_F(HotnessTest, ASettledBoxIsLeftAloneUntilItIsForgotten) {
  EXPECT_EQ(run(120, 50), Heat::kTurnedHot);
  hotness_.settle(box_of(120));
  EXPECT_EQ(run(120, 1000), Heat::kSettled);
  hotness_.forget(box_of(120));
  EXPECT_EQ(run(120, 49), Heat::kCold);
  EXPECT_EQ(run(120), Heat::kTurnedHot);
}

TEST_F(HotnessTest, AHotBoxStaysHotUntilHalfOfItsCountIsLeft) {
  EXPECT_EQ(run(120, 50), Heat::kTurnedHot);
  run(10, 500);
  EXPECT_EQ(run(120), Heat::kHot);  // about 35 are left
  run(10, 1000);
  EXPECT_EQ(run(120), Heat::kCold);  // about 18
}

TEST_F(HotnessTest, WhatIsUnknownMayBeSettledAndForgotten) {
  hotness_.settle(box_of(5));
  hotness_.forget(box_of(5));
  EXPECT_EQ(run(5), Heat::kCold);
}

TEST(Hotness, MemoryStaysBoundedAndWarmBoxesAreKept) {
  const std::vector<Entry> entries = {{.name = "seq"}};
  Hotness hotness(entries, {.max_counted_boxes = 64});
  std::mt19937_64 random(3);
  bool turned_hot = false;
  for (int i = 0; i < 20'000; ++i) {
    // Every second run is the same box, all others are as good as never the same.
    const bool is_usual = i % 2 == 0;
    const auto seq = static_cast<std::int64_t>(is_usual ? 5 : 1000 + random() % 1'000'000'000);
    const Heat heat = hotness.record(std::array{seq}).heat;
    turned_hot |= is_usual && heat == Heat::kTurnedHot;
    ASSERT_TRUE(is_usual || heat == Heat::kCold);
    ASSERT_LE(hotness.counted_boxes(), 64);
  }
  EXPECT_TRUE(turned_hot);
}

TEST(Hotness, ASegmentWithoutEntriesHasOneBox) {
  Hotness hotness({}, {.min_compile_iters = 2});
  EXPECT_EQ(hotness.record({}).heat, Heat::kCold);
  EXPECT_EQ(hotness.record({}).heat, Heat::kTurnedHot);
}

TEST(Hotness, OneRunMayBeEnough) {
  const std::vector<Entry> entries = {{.name = "seq"}};
  Hotness hotness(entries, {.min_compile_iters = 1});
  EXPECT_EQ(hotness.record(std::array{std::int64_t{5}}).heat, Heat::kTurnedHot);
}

}  // namespace
}  // namespace pliant::shapes
