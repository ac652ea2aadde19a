#include <gmock/gmock.h>

#include "plans/plans_fixture.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace testing;

constexpr const char* kNegation = R"(
.input x f32[n]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_NEG r1, r0
ELEMENTWISE_ADD r2, r1, 1.0
STORE_TENSOR y, r2
)";

// Where k is at least 2, there is nothing to repeat.
constexpr const char* kMaybeRepeats = R"(
.input x f32[k, 4]
.input z f32[n, 4]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, z
QUERY_SHAPE r2, r1.dim(0)
BROADCAST_TO r3, r0, [r2, 4], rule=mutual
REDUCE_SUM r4, r3, axis=0
STORE_TENSOR y, r4
)";

/// Nothing but hot boxes has plans, and they are compiled in the run.
SessionOptions two_tiers() {
  SessionOptions options = strict_options();
  options.plans.floor = Floor::kInterpreter;
  options.plans.compiling = Compiling::kSync;
  return options;
}

void run_length(Session& session, std::int64_t length) {
  const Tensor x = ramp({length});
  const std::vector<Tensor> outputs = run(session, {{"x", x}});
  ASSERT_EQ(outputs[0].element_count(), length);
  for (std::int64_t i = 0; i < length; ++i) {
    ASSERT_EQ(outputs[0].values<float>()[static_cast<std::size_t>(i)],
              1.0f - x.values<float>()[static_cast<std::size_t>(i)]);
  }
}

PlanCounters total(const Session& session) {
  return session.statistics().plans.total;
}

TEST(TwoTiers, FortyNineRunsOfOneShapeCompileNothing) {
  Session session = session_of(kNegation, two_tiers());
  for (int i = 0; i < 49; ++i) {
    run_length(session, 128);
  }
  EXPECT_EQ(total(session).compiles, 0u);
  EXPECT_EQ(total(session).interpreted_runs, 49u);
  EXPECT_EQ(total(session).floor_plans, 0u);
}

TEST(TwoTiers, ThePlanForAnySizeIsMadeWhenItIsDemanded) {
  Session session = session_of(kNegation, two_tiers());
  // It would have been checked.
  EXPECT_EQ(total(session).check_seconds, 0.0);
  std::vector<SegmentRun> report;
  run_as(session, Tier::kAny, {{"x", ramp({5})}}, &report);
  ASSERT_EQ(report.size(), 1u);
  EXPECT_EQ(report[0].box, "n any");
  EXPECT_GT(total(session).check_seconds, 0.0);
  EXPECT_EQ(total(session).floor_plans, 0u);
}

TEST(TwoTiers, FiftyRunsOfOneShapeCompileOnce) {
  Session session = session_of(kNegation, two_tiers());
  for (int i = 0; i < 200; ++i) {
    run_length(session, 128);
  }
  EXPECT_EQ(total(session).compiles, 1u);
  EXPECT_EQ(total(session).plans, 1u);
  EXPECT_EQ(total(session).interpreted_runs, 49u);
  EXPECT_EQ(total(session).bucketed_runs, 151u);
  EXPECT_EQ(session.statistics().plans.segments[0].plans[0].box, "n 113..128");
}

TEST(TwoTiers, AModelOfOneSizeBecomesHotToo) {
  Session session = session_of(R"(.input x f32[4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_NEG r1, r0
STORE_TENSOR y, r1
)",
                               two_tiers());
  for (int i = 0; i < 60; ++i) {
    run(session, {{"x", ramp({4})}});
  }
  EXPECT_EQ(total(session).compiles, 1u);
  EXPECT_EQ(total(session).interpreted_runs, 49u);
}

TEST(TwoTiers, FiveAlternatingLengthsBecomeHot) {
  Session session = session_of(kNegation, two_tiers());
  for (int i = 0; i < 60; ++i) {
    for (const std::int64_t length : {10, 30, 50, 70, 90}) {
      run_length(session, length);
    }
  }
  EXPECT_EQ(total(session).plans, 5u);
  EXPECT_EQ(total(session).compiles, 5u);
}

TEST(TwoTiers, TheLeastRecentlyUsedOf33GoesFirst) {
  SessionOptions options = two_tiers();
  options.plans.breaker_new_boxes = 0;
  Events events;
  options.log = events.listener();
  Session session = session_of(kNegation, options);
  for (int box = 0; box < 33; ++box) {
    for (int i = 0; i < 50; ++i) {
      run_length(session, box * 16 + 5);
    }
  }
  EXPECT_EQ(total(session).plans, 32u);
  EXPECT_EQ(total(session).compiles, 33u);
  EXPECT_EQ(total(session).evictions, 1u);
  ASSERT_THAT(events.of("evict"), SizeIs(1));
  EXPECT_EQ(field(events.of("evict")[0], "box"), "n 0..16");
  // Compiled again after eviction, it counts as new.
  for (int i = 0; i < 50; ++i) {
    run_length(session, 5);
  }
  EXPECT_EQ(total(session).compiles, 34u);
}

TEST(Jitter, LeavesTheFloorAndAtMostTwoPlans) {
  SessionOptions options = strict_options();
  options.plans.compiling = Compiling::kSync;
  Session session = session_of(kNegation, options);
  for (int i = 0; i < 400; ++i) {
    for (const std::int64_t length : {127, 129, 125, 128, 130}) {
      run_length(session, length);
    }
  }
  EXPECT_EQ(total(session).floor_plans, 1u);
  EXPECT_LE(total(session).plans, 2u);
  EXPECT_EQ(total(session).interpreted_runs, 0u);
  // Both buckets were tried once: they do what the floor does.
  EXPECT_EQ(total(session).no_gain, 2u);
  EXPECT_EQ(total(session).compiles, 2u);
}

TEST(Floor, APlanThatGainsIsUsedOneThatDoesNotIsDropped) {
  SessionOptions options = strict_options();
  options.plans.compiling = Compiling::kSync;
  Session session = session_of(kMaybeRepeats, options);
  for (int i = 0; i < 60; ++i) {
    run(session, {{"x", ramp({3, 4})}, {"z", ramp({3, 4})}});
  }
  EXPECT_EQ(total(session).compiles, 1u);
  EXPECT_EQ(total(session).no_gain, 0u);
  EXPECT_EQ(total(session).plans, 1u);
  EXPECT_EQ(total(session).any_runs, 49u);
  EXPECT_EQ(total(session).bucketed_runs, 11u);
  // The bucket of 2..16 says nothing about 1.
  run_everywhere(session, {{"x", ramp({1, 4})}, {"z", ramp({5, 4})}});
  run_everywhere(session, {{"x", ramp({0, 4})}, {"z", ramp({0, 4})}});
  EXPECT_EQ(total(session).quarantined, 0u);
}

// How many coordinates there are depends on elements, how many axes they have does not.
constexpr const char* kBehindElements = R"(.input x f32[n]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_ADD r1, r0, 1.0
NON_ZERO r2, r1
CAST r3, r2, to=f32
ELEMENTWISE_MUL r4, r3, 2.0
STORE_TENSOR y, r4
)";

TEST(Floor, IsThereAtLoadForAllSegmentsOfKnownRanks) {
  for (const Compiling compiling : {Compiling::kBackground, Compiling::kSealed}) {
    SessionOptions options = strict_options();
    options.plans.compiling = compiling;
    Session session = session_of(kBehindElements, options);
    EXPECT_EQ(total(session).floor_plans, 2u);
    std::vector<SegmentRun> report;
    run_as(session, Tier::kAuto, {{"x", floats({4}, {1, -1, 2, -1})}}, &report);
    ASSERT_EQ(report.size(), 3u);
    EXPECT_EQ(report[0].tier, Tier::kAny);
    EXPECT_EQ(report[1].tier, Tier::kInterpreter);
    EXPECT_EQ(report[2].tier, Tier::kAny);
    EXPECT_EQ(report[2].box, "r2.dim(0) any, r2.dim(1) any");
  }
}

TEST(Floor, OfAnArmComesWhenItIsFirstTaken) {
  Session session = session_of(R"(.input x f32[n]
.output y
LOAD_TENSOR r0, x
QUERY_SHAPE r1, r0.dim(0)
BRANCH_ON_SHAPE r1, >, 4, @long
ELEMENTWISE_NEG r2, r0
JUMP @end
@long:
ELEMENTWISE_ABS r2, r0
@end:
ELEMENTWISE_ADD r3, r2, 1.0
STORE_TENSOR y, r3
)",
                               strict_options());
  EXPECT_EQ(total(session).floor_plans, 2u);  // what comes before and after the arms
  run(session, {{"x", ramp({3})}});
  session.finish_compiling();
  EXPECT_EQ(total(session).floor_plans, 3u);
  run(session, {{"x", ramp({5})}});
  session.finish_compiling();
  EXPECT_EQ(total(session).floor_plans, 4u);
}

TEST(Background, RunsDoNotWaitAndPlansArrive) {
  SessionOptions options = strict_options();
  options.plans.floor = Floor::kInterpreter;
  Events events;
  options.log = events.listener();
  Session session = session_of(kNegation, options);
  for (int i = 0; i < 50; ++i) {
    run_length(session, 40);
  }
  session.finish_compiling();
  EXPECT_EQ(session.statistics().plans.pending_compiles, 0u);
  EXPECT_EQ(total(session).compiles, 1u);
  const std::uint64_t before = total(session).bucketed_runs;  // the last run may have been in time
  EXPECT_LE(before, 1u);
  run_length(session, 41);
  EXPECT_EQ(total(session).bucketed_runs, before + 1);
  ASSERT_THAT(events.of("compile"), SizeIs(1));
  EXPECT_EQ(field(events.of("compile")[0], "outcome"), "published");
}

TEST(Background, SegmentsOfRanksSeenFirstInARunFollow) {
  Session session = session_of(R"(.input x f32[...]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_NEG r1, r0
STORE_TENSOR y, r1
)",
                               strict_options());
  std::vector<SegmentRun> report;
  run_as(session, Tier::kAuto, {{"x", ramp({2, 3})}}, &report);
  ASSERT_EQ(report.size(), 1u);
  EXPECT_EQ(report[0].tier, Tier::kInterpreter);
  session.finish_compiling();
  run_as(session, Tier::kAuto, {{"x", ramp({4, 1})}}, &report);
  EXPECT_EQ(report[0].tier, Tier::kAny);
  // A rank of its own each.
  for (std::int64_t rank = 0; rank <= 8; ++rank) {
    const std::vector<NamedTensor> inputs = {
        {"x", ramp(std::vector<std::int64_t>(static_cast<std::size_t>(rank), 2))}};
    run_as(session, Tier::kAuto, inputs);
    session.finish_compiling();
    run_as(session, Tier::kAuto, inputs);
  }
  EXPECT_LE(session.statistics().plans.segments.size(), 8u);  // bounded, whatever comes
}

TEST(Sealed, CompilesNothing) {
  SessionOptions options = strict_options();
  options.plans.floor = Floor::kInterpreter;
  options.plans.compiling = Compiling::kSealed;
  Session session = session_of(kNegation, options);
  for (int i = 0; i < 100; ++i) {
    run_length(session, 40);
  }
  EXPECT_EQ(total(session).compiles, 0u);
  const NamedSize size{"n", 40};
  ASSERT_TRUE(session.warm_up_exact(std::span(&size, 1)));
  run_length(session, 40);
  EXPECT_EQ(total(session).exact_runs, 1u);
}

TEST(Breaker, OpensNamesTheAxisAndLetsRunsGoOn) {
  SessionOptions options = two_tiers();
  options.plans.min_compile_iters = 2;
  options.plans.breaker_new_boxes = 4;
  Events events;
  options.log = events.listener();
  Session session = session_of(kNegation, options);
  for (int box = 0; box < 30; ++box) {
    for (int i = 0; i < 3; ++i) {
      run_length(session, box * 16 + 1);
    }
  }
  EXPECT_EQ(total(session).compiles, 4u);
  EXPECT_EQ(total(session).breaker_openings, 1u);
  EXPECT_EQ(session.statistics().plans.segments[0].breaker, "open");
  ASSERT_THAT(events.of("breaker"), SizeIs(1));
  EXPECT_EQ(field(events.of("breaker")[0], "axis"), "n");
  EXPECT_EQ(field(events.of("breaker")[0], "to"), "open");
  EXPECT_THAT(field(events.of("breaker")[0], "advice"), HasSubstr("bucket_width"));
  // Boxes that have plans keep them.
  const std::uint64_t before = total(session).bucketed_runs;
  run_length(session, 1);
  EXPECT_EQ(total(session).bucketed_runs, before + 1);
}

TEST(Breaker, RecoversThroughOneTrial) {
  SessionOptions options = two_tiers();
  options.plans.min_compile_iters = 2;
  options.plans.breaker_new_boxes = 2;
  options.plans.breaker_window = std::chrono::milliseconds(1);
  options.plans.breaker_calm_period = std::chrono::milliseconds(0);
  options.plans.max_counted_boxes = 100'000;
  Events events;
  options.log = events.listener();
  Session session = session_of(kNegation, options);
  // However slow this machine is: boxes turn hot until three do within a millisecond.
  std::int64_t box = 0;
  while (total(session).breaker_openings == 0 && box < 20'000) {
    for (int i = 0; i < 2; ++i) {
      const auto ok = session.run(std::vector<NamedTensor>{{"x", ramp({box * 16 + 1})}});
      ASSERT_TRUE(ok);
    }
    ++box;
    if (box == 200) {
      box = 0;
      break;
    }
  }
  if (total(session).breaker_openings == 0) {
    GTEST_SKIP() << "this machine is too slow for three compiles in a millisecond";
  }
  // The last box is still hot; the first run after the window closes the breaker again.
  for (int i = 0; i < 1'000'000 && session.statistics().plans.segments[0].breaker == "open"; ++i) {
    ASSERT_TRUE(session.run(std::vector<NamedTensor>{{"x", ramp({(box - 1) * 16 + 1})}}));
  }
  EXPECT_EQ(session.statistics().plans.segments[0].breaker, "closed");
  const std::vector<LogEvent> changes = events.of("breaker");
  ASSERT_GE(changes.size(), 3u);
  EXPECT_EQ(field(changes[changes.size() - 2], "to"), "half-open");
  EXPECT_EQ(field(changes.back(), "to"), "closed");
}

TEST(Budget, PlanBytesAreBounded) {
  SessionOptions options = two_tiers();
  options.plans.breaker_new_boxes = 0;
  options.plans.min_compile_iters = 1;
  options.plans.max_plan_bytes = 8 << 10;
  Session session = session_of(kNegation, options);
  for (int box = 0; box < 40; ++box) {
    run_length(session, box * 16 + 1);
  }
  EXPECT_GT(total(session).evictions, 0u);
  EXPECT_LE(total(session).plan_bytes, 8u << 10);
}

TEST(Budget, LayoutsThatAreRememberedCount) {
  SessionOptions options = two_tiers();
  options.plans.min_compile_iters = 1;
  options.plans.bucket_width = 64;
  Session session = session_of(kNegation, options);
  run_length(session, 64);
  const std::size_t one = total(session).plan_bytes;
  for (std::int64_t length = 1; length <= 50; ++length) {
    run_length(session, length);
  }
  EXPECT_GT(total(session).plan_bytes, 3 * one);
  EXPECT_EQ(session.statistics().plans.segments[0].plans[0].bytes, total(session).plan_bytes);
  session.trim();
  EXPECT_LT(total(session).plan_bytes, one);
  EXPECT_EQ(session.statistics().plans.layout_bytes, 0u);
}

TEST(Budget, PlansGoWhenTheirLayoutsAreTooMuch) {
  SessionOptions options = two_tiers();
  options.plans.breaker_new_boxes = 0;
  options.plans.min_compile_iters = 1;
  options.plans.bucket_width = 64;
  options.plans.max_plan_bytes = 16 << 10;
  Session session = session_of(kNegation, options);
  for (std::int64_t i = 0; i < 60; ++i) {
    run_length(session, 1 + i);
    run_length(session, 65 + i);
    ASSERT_LE(total(session).plan_bytes, 16u << 10);
  }
  EXPECT_GT(total(session).evictions, 0u);
}

TEST(Trim, GivesArenasBack) {
  Session session = session_of(R"(.input x f32[n]
.output y
LOAD_TENSOR r0, x
REDUCE_MAX r1, r0, axis=0, keepdims=true
ELEMENTWISE_SUB r2, r0, r1
CUMSUM r3, r2, 0
CUMSUM r4, r3, 0
STORE_TENSOR y, r4
)");
  run(session, {{"x", ramp({300'000})}});
  ASSERT_GT(session.statistics().plans.arena_bytes, 1'000'000u);
  EXPECT_GE(session.trim(), 1'000'000u);
  EXPECT_EQ(session.statistics().plans.arena_bytes, 0u);
  EXPECT_EQ(session.statistics().live_bytes, 0u);
  run(session, {{"x", ramp({300'000})}});
}

TEST(Trim, TheLimitOfBytesHoldsForArenas) {
  SessionOptions options = strict_options();
  options.max_bytes = 1 << 20;
  Session session = session_of(kNegation, options);
  const Error error = run_error(session, {{"x", ramp({1'000'000})}});
  EXPECT_EQ(error.code, ErrorCode::kResourceExhausted);
  run_length(session, 1000);
}

}  // namespace
}  // namespace pliant
