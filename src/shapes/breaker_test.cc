#include "shapes/breaker.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace pliant::shapes {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using State = BreakerState;

/// A breaker with the default limits (16 new boxes in 2 minutes, 30 seconds of calm) and a clock
/// that a test sets.
class BreakerTest : public ::testing::Test {
 protected:
  static Box box(std::int64_t seq) { return {{Interval::exactly(4), Interval::exactly(seq)}}; }

  Breaker::Decision admit(std::int64_t seq) { return breaker_.admit_new(box(seq), now_); }

  /// Lets so many new boxes turn hot at once; how many of them may be compiled.
  int admit_many(int count) {
    int admitted = 0;
    for (int i = 0; i < count; ++i) {
      admitted += admit(next_seq_++).may_compile ? 1 : 0;
    }
    return admitted;
  }

  Breaker breaker_{PlanOptions{}};
  Breaker::Time now_{std::chrono::hours(1)};
  std::int64_t next_seq_ = 1;
};

TEST_F(BreakerTest, TheSeventeenthNewBoxOpensIt) {
  for (int i = 0; i < 16; ++i) {
    const auto decision = admit(i);
    EXPECT_TRUE(decision.may_compile);
    EXPECT_FALSE(decision.change);
    now_ += seconds(7);
  }
  const auto decision = admit(16);
  EXPECT_FALSE(decision.may_compile);
  ASSERT_TRUE(decision.change);
  EXPECT_EQ(decision.change->from, State::kClosed);
  EXPECT_EQ(decision.change->to, State::kOpen);
  EXPECT_EQ(decision.change->recent, 17);
  EXPECT_EQ(decision.change->jittering_entry, 1);
  EXPECT_EQ(breaker_.state(), State::kOpen);
  EXPECT_EQ(breaker_.times_opened(), 1);
}

TEST_F(BreakerTest, NewBoxesThatAreFarEnoughApartDoNot) {
  for (int i = 0; i < 200; ++i) {
    EXPECT_TRUE(admit(i).may_compile);
    now_ += seconds(8);  // 15 or 16 in 2 minutes
  }
  EXPECT_EQ(breaker_.state(), State::kClosed);
}

TEST_F(BreakerTest, AnOpenOneRefusesNewAndWaitingBoxes) {
  EXPECT_EQ(admit_many(40), 16);
  now_ += minutes(1);
  EXPECT_EQ(admit_many(40), 0);
  const auto decision = breaker_.admit_again(now_);
  EXPECT_FALSE(decision.may_compile);
  EXPECT_FALSE(decision.change);
  EXPECT_EQ(breaker_.times_opened(), 1);
}

TEST_F(BreakerTest, AfterCalmOneCompileIsTriedAndItsSuccessCloses) {
  admit_many(17);
  now_ += minutes(2) + seconds(29);  // the window is empty since 29 s
  EXPECT_FALSE(breaker_.admit_again(now_).may_compile);
  now_ += seconds(2);
  const auto first = breaker_.admit_again(now_);
  EXPECT_TRUE(first.may_compile);
  ASSERT_TRUE(first.change);
  EXPECT_EQ(first.change->from, State::kOpen);
  EXPECT_EQ(first.change->to, State::kHalfOpen);
  EXPECT_FALSE(breaker_.admit_again(now_).may_compile) << "one at a time";

  const auto change = breaker_.succeeded(now_);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->from, State::kHalfOpen);
  EXPECT_EQ(change->to, State::kClosed);
  EXPECT_EQ(admit_many(17), 16);
}

TEST_F(BreakerTest, ItStaysOpenWhileTheStormLasts) {
  admit_many(17);
  for (int i = 0; i < 600; ++i) {
    now_ += seconds(1);
    EXPECT_EQ(admit_many(1), 0);
  }
  EXPECT_EQ(breaker_.state(), State::kOpen);
  EXPECT_EQ(breaker_.times_opened(), 1);
}

TEST_F(BreakerTest, AFewNewBoxesAreCalm) {
  admit_many(17);
  bool recovered = false;
  for (int i = 0; i < 10 && !recovered; ++i) {
    now_ += seconds(30);
    recovered = admit(1000 + i).may_compile;
  }
  EXPECT_TRUE(recovered);
  EXPECT_EQ(breaker_.state(), State::kHalfOpen);
}

TEST_F(BreakerTest, AFailedTryOpensItForAnotherCalmPeriod) {
  admit_many(17);
  now_ += minutes(3);
  EXPECT_TRUE(breaker_.admit_again(now_).may_compile);
  const auto change = breaker_.failed(box(1), now_);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->from, State::kHalfOpen);
  EXPECT_EQ(change->to, State::kOpen);
  now_ += seconds(29);
  EXPECT_FALSE(breaker_.admit_again(now_).may_compile);
  now_ += seconds(1);
  // The window still holds the failure, and 16 of those that opened it have left.
  EXPECT_TRUE(breaker_.admit_again(now_).may_compile);
  EXPECT_EQ(breaker_.times_opened(), 2);
}

TEST_F(BreakerTest, AnAbandonedTryMakesRoomForAnother) {
  admit_many(17);
  now_ += minutes(3);
  EXPECT_TRUE(breaker_.admit_again(now_).may_compile);
  breaker_.abandoned();
  EXPECT_TRUE(breaker_.admit_again(now_).may_compile);
}

TEST_F(BreakerTest, FailuresCountAsNewBoxesDo) {
  EXPECT_EQ(admit_many(8), 8);
  for (int i = 0; i < 8; ++i) {
    EXPECT_FALSE(breaker_.failed(box(i), now_));
  }
  const auto change = breaker_.failed(box(8), now_);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->to, State::kOpen);
}

TEST_F(BreakerTest, ASuccessOfAnEarlierCompileDoesNotCloseIt) {
  EXPECT_EQ(admit_many(17), 16);
  EXPECT_FALSE(breaker_.succeeded(now_));
  EXPECT_EQ(breaker_.state(), State::kOpen);
}

TEST_F(BreakerTest, AStormInHalfOpenOpensItAgain) {
  admit_many(17);
  now_ += minutes(3);
  EXPECT_EQ(admit_many(17), 1);
  EXPECT_EQ(breaker_.state(), State::kOpen);
}

TEST_F(BreakerTest, NoAxisJittersWhenOneBoxFailsAgainAndAgain) {
  std::optional<BreakerChange> change;
  for (int i = 0; i < 17; ++i) {
    change = breaker_.failed(box(5), now_);
  }
  ASSERT_TRUE(change);
  EXPECT_EQ(change->jittering_entry, std::nullopt);
}

TEST(Breaker, ALimitOfZeroTurnsItOff) {
  Breaker breaker({.breaker_new_boxes = 0});
  for (std::int64_t i = 0; i < 1000; ++i) {
    EXPECT_TRUE(breaker.admit_new({{Interval::exactly(i)}}, {}).may_compile);
    EXPECT_FALSE(breaker.failed({{Interval::exactly(i)}}, {}));
  }
  EXPECT_EQ(breaker.state(), State::kClosed);
}

TEST(Breaker, StatesHaveNames) {
  EXPECT_STREQ(breaker_state_name(State::kClosed), "closed");
  EXPECT_STREQ(breaker_state_name(State::kOpen), "open");
  EXPECT_STREQ(breaker_state_name(State::kHalfOpen), "half-open");
}

}  // namespace
}  // namespace pliant::shapes
