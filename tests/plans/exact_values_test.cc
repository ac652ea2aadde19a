// Inputs whose elements decide what follows: plans hold for single values of them.

#include <gmock/gmock.h>

#include <algorithm>

#include "plans/plans_fixture.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace testing;

constexpr const char* kTarget = R"(.input x f32[n, 6]
.input target i64[2]
.const w f32[3, 5] = seeded(3)
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, target
ELEMENTWISE_NEG r2, r0
RESHAPE r3, r2, r1
ELEMENTWISE_RELU r4, r3
MATMUL r5, r4, w
STORE_TENSOR y, r5
)";

constexpr const char* kAxis = R"(.input x f32[n, m]
.input axis i64[1]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, axis
ELEMENTWISE_NEG r2, r0
REDUCE_MAX r3, r2, axis=r1
ELEMENTWISE_ADD r4, r3, 1.0
STORE_TENSOR y, r4
)";

SessionOptions in_sync() {
  SessionOptions options = strict_options();
  options.plans.compiling = Compiling::kSync;
  return options;
}

std::vector<NamedTensor> with_target(std::int64_t n, std::vector<std::int64_t> target) {
  return {{"x", ramp({n, 6})}, {"target", integers({2}, target)}};
}

std::vector<NamedTensor> with_axis(std::int64_t n, std::int64_t m, std::int64_t axis) {
  return {{"x", ramp({n, m})}, {"axis", integers({1}, {axis})}};
}

PlanCounters total(const Session& session) {
  return session.statistics().plans.total;
}

/// Runs, and says which plan executed everything; "" when it was not one alone.
std::string only_plan(Session& session, const std::vector<NamedTensor>& inputs,
                      Tier tier = Tier::kAuto) {
  std::vector<SegmentRun> report;
  const std::vector<Tensor> expected = run_as(session, Tier::kInterpreter, inputs);
  const std::vector<Tensor> outputs = run_as(session, tier, inputs, &report);
  EXPECT_TRUE(outputs.size() == expected.size() && same_bits(outputs[0], expected[0]));
  return report.size() == 1 && report[0].reason.empty() ? report[0].box : "";
}

TEST(ExactValues, OfATargetAreCompiledAtFirstSightAndFoundAgain) {
  Session session = session_of(kTarget, in_sync());
  EXPECT_EQ(only_plan(session, with_target(4, {-1, 3})), "n any, target[0] -1, target[1] 3");
  EXPECT_EQ(total(session).compiles, 1u);
  EXPECT_EQ(total(session).plans, 1u);
  // Other axes are of any size.
  EXPECT_EQ(only_plan(session, with_target(9, {-1, 3})), "n any, target[0] -1, target[1] 3");
  EXPECT_EQ(only_plan(session, with_target(0, {-1, 3})), "n any, target[0] -1, target[1] 3");
  EXPECT_EQ(total(session).compiles, 1u);
  // Another value gets its own.
  EXPECT_EQ(only_plan(session, with_target(4, {8, 3})), "n any, target[0] 8, target[1] 3");
  EXPECT_EQ(only_plan(session, with_target(4, {8, -1})), "n any, target[0] 8, target[1] -1");
  EXPECT_EQ(total(session).compiles, 3u);
  EXPECT_EQ(total(session).plans, 3u);
  EXPECT_GT(total(session).plan_bytes, 0u);
  EXPECT_EQ(total(session).quarantined, 0u);
  EXPECT_EQ(total(session).unchecked, 0u);
}

TEST(ExactValues, DecideAxes) {
  Session session = session_of(kAxis, in_sync());
  EXPECT_EQ(only_plan(session, with_axis(3, 4, 0)), "n any, m any, axis[0] 0");
  EXPECT_EQ(only_plan(session, with_axis(3, 4, -1)), "n any, m any, axis[0] -1");
  EXPECT_EQ(only_plan(session, with_axis(1, 7, -1)), "n any, m any, axis[0] -1");
  EXPECT_EQ(total(session).compiles, 2u);
}

TEST(ExactValues, DecideRanks) {
  Session session = session_of(R"(.input x f32[n, 3]
.output y
LOAD_TENSOR r0, x
SQUEEZE r1, r0
ELEMENTWISE_NEG r2, r1
STORE_TENSOR y, r2
)",
                               in_sync());
  EXPECT_EQ(only_plan(session, {{"x", ramp({1, 3})}}), "n 1");
  EXPECT_EQ(only_plan(session, {{"x", ramp({2, 3})}}), "n 2");
  EXPECT_EQ(only_plan(session, {{"x", ramp({1, 3})}}), "n 1");
}

// A constant that follows from the values of a plan goes with the plan, and another one may come to lie
// where it was: no packed form of the first may be taken for one of the second. Weights stay.
TEST(ExactValues, DecideConstantsOfTheirPlans) {
  SessionOptions options = in_sync();
  options.plans.max_plans = 1;
  options.plans.breaker_new_boxes = 0;
  options.plans.self_check = false;  // which would keep wrong plans from being used
  Session session = session_of(R"(.input x f32[n, 64]
.input axis i64[1]
.const c f32[64, 64, 64] = seeded(3)
.const w f32[24, 64] = seeded(4)
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, axis
REDUCE_SUM r2, c, axis=r1
MATMUL r3, r0, r2
TRANSPOSE r4, w
MATMUL r5, r3, r4
STORE_TENSOR y, r5
)",
                               options);
  const auto inputs_of = [](std::int64_t axis) {
    return std::vector<NamedTensor>{{"x", ramp({20, 64})}, {"axis", integers({1}, {axis})}};
  };
  const auto explanation = session.explain(inputs_of(0));
  ASSERT_TRUE(explanation);
  EXPECT_THAT(*explanation, HasSubstr("rhs packed in each run, being no constant"));
  EXPECT_THAT(*explanation, HasSubstr("rhs a constant, packed once"));
  const std::size_t packed_bytes = session.statistics().packed_bytes;
  EXPECT_GT(packed_bytes, 0u);
  for (std::int64_t round = 0; round < 40; ++round) {
    for (const std::int64_t axis : {(round * round + round / 3) % 3, round * 7 / 4 % 3}) {
      EXPECT_EQ(only_plan(session, inputs_of(axis)), "n any, axis[0] " + std::to_string(axis));
    }
  }
  EXPECT_GT(total(session).evictions, 10u);
  EXPECT_EQ(session.statistics().packed_bytes, packed_bytes);
}

// What follows from elements by way of others: which extent of x is wanted.
TEST(ExactValues, DecideElementsThatAreSizes) {
  Session session = session_of(R"(.input x f32[n, m]
.input which i64[1]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, which
SHAPE_OF r2, r0
GATHER r3, r2, r1, axis=0
FILL r4, 2.0, r3
STORE_TENSOR y, r4
)",
                               in_sync());
  const auto inputs = [](std::int64_t which) {
    return std::vector<NamedTensor>{{"x", ramp({2, 5})}, {"which", integers({1}, {which})}};
  };
  EXPECT_EQ(only_plan(session, inputs(1)), "n any, m any, which[0] 1");
  EXPECT_EQ(only_plan(session, inputs(-2)), "n any, m any, which[0] -2");
}

// Bounds of a slice are expressions; its axis is not.
TEST(ExactValues, AreAsFewAsWillDo) {
  Session session = session_of(R"(.input x f32[n, m]
.input start i64[1]
.input end i64[1]
.input axis i64[1]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, start
LOAD_TENSOR r2, end
LOAD_TENSOR r3, axis
SLICE r4, r0, r1, r2, axes=r3
ELEMENTWISE_NEG r5, r4
STORE_TENSOR y, r5
)",
                               in_sync());
  const auto inputs = [](std::int64_t start, std::int64_t end, std::int64_t axis) {
    return std::vector<NamedTensor>{{"x", ramp({4, 5})},
                                    {"start", integers({1}, {start})},
                                    {"end", integers({1}, {end})},
                                    {"axis", integers({1}, {axis})}};
  };
  const std::string box = "n any, m any, start[0] any, end[0] any, axis[0] 1";
  for (const std::int64_t start : {0, 1, -1, -9, 3, 7}) {
    for (const std::int64_t end : {5, 2, -1, 0, 9, -7}) {
      EXPECT_EQ(only_plan(session, inputs(start, end, 1)), box) << start << ".." << end;
    }
  }
  EXPECT_EQ(total(session).compiles, 1u);
}

TEST(ExactValues, HotBucketsAreCompiledFromThem) {
  SessionOptions options = in_sync();
  options.plans.floor = Floor::kInterpreter;
  Session session = session_of(kTarget, options);
  for (int i = 0; i < 49; ++i) {
    run(session, with_target(4, {-1, 3}));
  }
  EXPECT_EQ(total(session).compiles, 0u);  // two tiers: nothing at first sight
  run(session, with_target(4, {-1, 3}));
  EXPECT_EQ(total(session).compiles, 1u);
  EXPECT_EQ(only_plan(session, with_target(4, {-1, 3})), "n 0..16, target[0] -1, target[1] 3");
}

TEST(ExactValues, AreCompiledInTheBackground) {
  Session session = session_of(kTarget, strict_options());
  const std::vector<NamedTensor> inputs = with_target(4, {-1, 3});
  const std::vector<Tensor> expected = run_as(session, Tier::kInterpreter, inputs);
  // First what makes the segment known, then its plan; no run waits.
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(same_bits(run(session, inputs)[0], expected[0]));
    session.finish_compiling();
  }
  EXPECT_EQ(only_plan(session, inputs), "n any, target[0] -1, target[1] 3");
}

TEST(ExactValues, AreBoundedByTheNumberOfPlansAndTheBreaker) {
  SessionOptions options = in_sync();
  options.plans.max_plans = 3;
  options.plans.breaker_new_boxes = 8;
  Events events;
  options.log = events.listener();
  Session session = session_of(kTarget, options);
  for (std::int64_t n = 1; n <= 40; ++n) {
    const std::vector<NamedTensor> inputs = with_target(n, {2 * n, 3});
    EXPECT_TRUE(same_bits(run(session, inputs)[0], run_as(session, Tier::kInterpreter, inputs)[0]));
    ASSERT_LE(total(session).plans, 3u);
  }
  EXPECT_EQ(total(session).compiles, 8u);
  EXPECT_EQ(total(session).evictions, 5u);
  EXPECT_EQ(total(session).breaker_openings, 1u);
  EXPECT_EQ(field(events.of("breaker")[0], "axis"), "target[0]");
}

// No plan is possible for an axis that x has not, and the run fails.
void run_in_vain(Session& session, int times) {
  for (int i = 0; i < times; ++i) {
    EXPECT_FALSE(session.run(with_axis(3, 4, 7)));
  }
}

TEST(ExactValues, ForWhichNoPlanIsPossibleOpenTheBreakerOnce) {
  for (const Compiling compiling : {Compiling::kSync, Compiling::kBackground}) {
    SessionOptions options = in_sync();
    options.plans.compiling = compiling;
    options.plans.breaker_new_boxes = 3;
    Events events;
    options.log = events.listener();
    Session session = session_of(kAxis, options);
    for (int i = 0; i < 30; ++i) {
      run_in_vain(session, 1);
      session.finish_compiling();
    }
    ASSERT_THAT(events.of("breaker"), SizeIs(1));
    EXPECT_EQ(field(events.of("breaker")[0], "segment"), "0 by value");
    EXPECT_EQ(field(events.of("breaker")[0], "to"), "open");
    EXPECT_THAT(field(events.of("breaker")[0], "advice"), HasSubstr("no plan was possible"));
    // Four were tried, the other runs asked for nothing.
    const std::vector<SegmentStatistics> segments = session.statistics().plans.segments;
    const auto exact = std::find_if(segments.begin(), segments.end(),
                                    [](const auto& each) { return each.name == "0 by value"; });
    ASSERT_NE(exact, segments.end());
    EXPECT_EQ(exact->breaker, "open");
    EXPECT_EQ(exact->counters.failures, 4u);
    EXPECT_EQ(exact->counters.breaker_openings, 1u);
    ASSERT_THAT(exact->counters.declines, SizeIs(1));
    EXPECT_THAT(exact->counters.declines[0].first, HasSubstr("no plan was possible"));
    EXPECT_EQ(exact->counters.declines[0].second, 26u);
    // Also values for which one is possible are interpreted then, and explain says why.
    const auto text = session.explain(with_axis(3, 4, 1));
    ASSERT_TRUE(text) << text.error().to_string();
    EXPECT_THAT(*text, HasSubstr("0 by value: no plan was possible"));
  }
}

TEST(ExactValues, AreTriedAgainWhenItIsCalm) {
  SessionOptions options = in_sync();
  options.plans.breaker_new_boxes = 1;
  options.plans.breaker_window = std::chrono::milliseconds(100);
  options.plans.breaker_calm_period = std::chrono::milliseconds(0);
  Events events;
  options.log = events.listener();
  Session session = session_of(kAxis, options);
  // Two within the window, however slow this machine is.
  for (int i = 0; i < 1000 && events.of("breaker").empty(); ++i) {
    run_in_vain(session, 1);
  }
  ASSERT_EQ(field(events.of("breaker").at(0), "to"), "open");
  while (events.of("breaker").size() == 1) {
    run(session, with_axis(3, 4, 1));
  }
  EXPECT_EQ(field(events.of("breaker")[1], "to"), "half-open");
  EXPECT_EQ(only_plan(session, with_axis(3, 4, 1)), "n any, m any, axis[0] 1");
}

TEST(ExactValues, AreCompiledForATierByHandWhateverTheBreakerSays) {
  SessionOptions options = in_sync();
  options.plans.breaker_new_boxes = 1;
  Session session = session_of(kAxis, options);
  run_in_vain(session, 5);
  EXPECT_EQ(only_plan(session, with_axis(3, 4, 1), Tier::kAny), "n any, m any, axis[0] 1");
}

// What weights become by folding belongs to the plan that goes.
TEST(ExactValues, LeaveNoFormsOfWeightsBehind) {
  SessionOptions options = in_sync();
  options.plans.max_plans = 1;
  options.plans.breaker_new_boxes = 0;
  Session session = session_of(R"(.input x f32[n, 6]
.input target i64[2]
.const w f32[3, 40] = seeded(3)
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, target
RESHAPE r2, r0, r1
ELEMENTWISE_NEG r3, w
MATMUL r4, r2, r3
STORE_TENSOR y, r4
)",
                               options);
  only_plan(session, with_target(20, {40, 3}));
  const std::size_t packed = session.statistics().packed_bytes;
  for (std::int64_t n = 21; n < 40; ++n) {
    EXPECT_NE(only_plan(session, with_target(n, {2 * n, 3})), "");
  }
  EXPECT_EQ(session.statistics().packed_bytes, packed);
}

TEST(ExactValues, ThatDoNotFitAreErrorsOfTheRun) {
  Session session = session_of(kAxis, in_sync());
  Session other = session_of(kTarget, in_sync());
  // Also before the first that fit.
  for (int pass = 0; pass < 2; ++pass) {
    const Error axis = session.run(with_axis(3, 4, 2), {Tier::kInterpreter, nullptr}).error();
    const Error target = other.run(with_target(4, {-1, 5}), {Tier::kInterpreter, nullptr}).error();
    EXPECT_EQ(axis.code, ErrorCode::kShapeMismatch);
    for (const Tier tier : {Tier::kAuto, Tier::kAny, Tier::kBucketed, Tier::kExact}) {
      EXPECT_EQ(session.run(with_axis(3, 4, 2), {tier, nullptr}).error().to_string(),
                axis.to_string());
      EXPECT_EQ(other.run(with_target(4, {-1, 5}), {tier, nullptr}).error().to_string(),
                target.to_string());
    }
    EXPECT_EQ(only_plan(session, with_axis(3, 4, 1)), "n any, m any, axis[0] 1");
    EXPECT_EQ(only_plan(other, with_target(4, {-1, 3})), "n any, target[0] -1, target[1] 3");
  }
}

TEST(ExactValues, AreThereInEveryTierThatIsAskedFor) {
  Session session = session_of(kTarget, strict_options());
  const std::vector<NamedTensor> inputs = with_target(20, {-1, 3});
  EXPECT_EQ(only_plan(session, inputs, Tier::kAny), "n any, target[0] -1, target[1] 3");
  EXPECT_EQ(only_plan(session, inputs, Tier::kBucketed), "n 17..32, target[0] -1, target[1] 3");
  EXPECT_EQ(only_plan(session, inputs, Tier::kExact), "n 20, target[0] -1, target[1] 3");
  run_everywhere(session, with_target(20, {40, 3}));
}

TEST(ExactValues, AreExplained) {
  Session session = session_of(kTarget, in_sync());
  SessionOptions sealed = strict_options();
  sealed.plans.compiling = Compiling::kSealed;
  Session without = session_of(kTarget, sealed);
  const auto exact = session.explain(with_target(4, {-1, 3}));
  ASSERT_TRUE(exact) << exact.error().to_string();
  EXPECT_THAT(*exact, AllOf(HasSubstr("tier any, box n any, target[0] -1, target[1] 3"),
                            HasSubstr("MATMUL")));
  const auto floor = without.explain(with_target(4, {-1, 3}));
  ASSERT_TRUE(floor) << floor.error().to_string();
  EXPECT_THAT(*floor, HasSubstr("ends before test.pasm:8:1: the value of an input decides"));
  EXPECT_THAT(without.statistics().plans.segments[0].end_reason,
              HasSubstr("the value of an input decides"));
}

TEST(ExactValues, AreRecordedAndWarmedUp) {
  SessionOptions options = in_sync();
  options.plans.record = true;
  Session recording = session_of(kTarget, options);
  for (int i = 0; i < 3; ++i) {
    run(recording, with_target(20, {-1, 3}));
  }
  SessionOptions sealed = strict_options();
  sealed.plans.compiling = Compiling::kSealed;
  sealed.plans.floor = Floor::kInterpreter;
  Session session = session_of(kTarget, sealed);
  const Status status = session.warm_up(recording.profile());
  ASSERT_TRUE(status) << status.error().to_string();
  EXPECT_EQ(only_plan(session, with_target(18, {-1, 3})), "n 17..32, target[0] -1, target[1] 3");

  Session exact = session_of(kTarget, sealed);
  const std::vector<NamedSize> sizes = {{"n", 2}, {"target[0]", 4}, {"target[1]", 3}};
  const Status warmed = exact.warm_up_exact(sizes);
  ASSERT_TRUE(warmed) << warmed.error().to_string();
  EXPECT_EQ(only_plan(exact, with_target(2, {4, 3})), "n 2, target[0] 4, target[1] 3");
}

SessionOptions sealed_options() {
  SessionOptions options = strict_options();
  options.plans.compiling = Compiling::kSealed;
  return options;
}

TEST(ExactValues, AreNotCompiledByASealedSessionUnlessItIsWarmedUp) {
  Session session = session_of(kTarget, sealed_options());
  const std::size_t floors = total(session).floor_plans;
  run(session, with_target(4, {-1, 3}));
  run_as(session, Tier::kAny, with_target(4, {-1, 3}));  // what decides is interpreted
  const std::vector<NamedSize> sizes = {{"n", 4}, {"target[0]", -1}, {"target[1]", 3}};
  const auto bytes = session.estimate(sizes);
  EXPECT_TRUE(bytes) << bytes.error().to_string();
  EXPECT_EQ(total(session).plans, 0u);
  EXPECT_EQ(total(session).floor_plans, floors);
  EXPECT_EQ(total(session).compiles, 0u);
  for (const SegmentStatistics& segment : session.statistics().plans.segments) {
    EXPECT_EQ(segment.name.find("by value"), std::string::npos) << segment.name;
  }
  const Status warmed = session.warm_up_exact(sizes);
  ASSERT_TRUE(warmed) << warmed.error().to_string();
  // The plan for n = 4 would have the steps of that for any n.
  EXPECT_EQ(only_plan(session, with_target(4, {-1, 3})), "n any, target[0] -1, target[1] 3");
  EXPECT_EQ(only_plan(session, with_target(9, {-1, 3})), "n any, target[0] -1, target[1] 3");
}

// The first values say that m has to be known; for the others it is n.
TEST(ExactValues, ThatNoPlanServesLeaveTheRestToOtherPlansInEveryTier) {
  const char* const program = R"(.input x f32[n, m]
.input axis i64[1]
.input shift f32[1]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, axis
REDUCE_MAX r2, r0, axis=r1
SQUEEZE r3, r2
LOAD_TENSOR r4, shift
ELEMENTWISE_ADD r5, r3, r4
STORE_TENSOR y, r5
)";
  const auto inputs = [](std::int64_t axis) {
    return std::vector<NamedTensor>{
        {"x", ramp({3, 4})}, {"axis", integers({1}, {axis})}, {"shift", floats({1}, {0.5f})}};
  };
  Session session = session_of(program, in_sync());
  EXPECT_EQ(only_plan(session, inputs(0)), "n any, m 4, axis[0] 0");
  run_everywhere(session, inputs(1));
}

}  // namespace
}  // namespace pliant
