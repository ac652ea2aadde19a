// Scenarios that users of such runtimes reported, by the numbers under which the project lists them.
// What is about ranges of options (B023) and many threads (B021) is in warm_up_test, tier_test and
// threads_test.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plans/plans_fixture.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace testing;

constexpr const char* kEncoder = R"(
.input ids i64[1, seq]
.const table f32[40, 8] = seeded(1)
.const w1 f32[8, 8] = seeded(2)
.const w2 f32[8, 8] = seeded(3)
.const scale f32[8] = {1, 2, 3, 4, 5, 6, 7, 8}
.output y
LOAD_TENSOR r0, ids
GATHER r1, table, r0, axis=0
MATMUL r2, r1, w1
TRANSPOSE r3, r1, perm=[0, 2, 1]
MATMUL r4, r2, r3
SOFTMAX r5, r4
MATMUL r6, r5, r1
MATMUL r7, r6, w2
LAYER_NORM r8, r7, scale=scale
STORE_TENSOR y, r8
)";

Tensor ids(std::int64_t seq) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(seq));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::int64_t>((i * 11 + 3) % 40);
  }
  return integers({1, seq}, values);
}

SessionOptions two_tiers() {
  SessionOptions options = strict_options();
  options.plans.floor = Floor::kInterpreter;
  options.plans.compiling = Compiling::kSync;
  return options;
}

TEST(Scenario, B001PlansOfManyLengthsAreBounded) {
  SessionOptions options = two_tiers();
  options.plans.min_compile_iters = 1;
  options.plans.max_plans = 4;
  options.plans.breaker_new_boxes = 0;
  Session session = session_of(kEncoder, options);
  std::vector<std::size_t> most_reserved;  // what is kept decays with time: the most of each pass
  for (int pass = 0; pass < 3; ++pass) {
    most_reserved.push_back(0);
    for (std::int64_t i = 0; i < 300; ++i) {
      const std::int64_t length = 1 + i * 131 % 300;
      const std::vector<NamedTensor> inputs = {{"ids", ids(length)}};
      const Tensor planned = run(session, inputs)[0];
      if (pass == 0) {
        EXPECT_TRUE(same_bits(planned, run_as(session, Tier::kInterpreter, inputs)[0])) << length;
      }
      const SessionStatistics statistics = session.statistics();
      ASSERT_LE(statistics.plans.total.plans, 4u);
      most_reserved.back() = std::max(most_reserved.back(), statistics.reserved_bytes);
    }
  }
  EXPECT_LE(most_reserved[2], most_reserved[1] + most_reserved[1] / 20);
  EXPECT_EQ(session.statistics().plans.total.quarantined, 0u);
}

TEST(Scenario, B003TheSameShapeIsOneEntry) {
  Session session = session_of(kEncoder, two_tiers());
  for (int i = 0; i < 1000; ++i) {
    run(session, {{"ids", ids(7)}});
  }
  EXPECT_EQ(session.statistics().plans.total.compiles, 1u);
  for (int i = 0; i < 1000; ++i) {
    run(session, {{"ids", ids(i % 2 == 0 ? 7 : 37)}});
  }
  const PlanCounters total = session.statistics().plans.total;
  EXPECT_EQ(total.compiles, 2u);
  EXPECT_EQ(total.plans, 2u);
  EXPECT_LE(total.bound_runs, 4u);
  EXPECT_GT(total.bucketed_runs, 1800u);
}

TEST(Scenario, B011AFirstSightingRunsAtOnceAndNoRunWaitsForACompile) {
  SessionOptions options = strict_options();
  options.plans.min_compile_iters = 1;
  Session session = session_of(kEncoder, options);
  for (std::int64_t length = 1; length < 200; length += 3) {
    std::vector<SegmentRun> report;
    run_as(session, Tier::kAuto, {{"ids", ids(length)}}, &report);
    ASSERT_EQ(report.size(), 1u);
    EXPECT_NE(report[0].tier, Tier::kInterpreter) << length;  // the floor is there from the start
  }
}

TEST(Scenario, B012GrowingByOneIsOnePlanAndOneLayoutEach) {
  SessionOptions options = strict_options();
  options.plans.compiling = Compiling::kSync;
  Session session = session_of(R"(.input past f32[length, 4]
.input now f32[1, 4]
.output y
LOAD_TENSOR r0, past
LOAD_TENSOR r1, now
CONCAT r2, [r0, r1], axis=0
REDUCE_SUM r3, r2, axis=0
STORE_TENSOR y, r3
)",
                               options);
  for (std::int64_t length = 1; length <= 512; ++length) {
    run(session, {{"past", ramp({length, 4})}, {"now", ramp({1, 4})}});
  }
  const PlanCounters grown = session.statistics().plans.total;
  EXPECT_EQ(grown.plans, 0u);
  EXPECT_EQ(grown.any_runs, 512u);
  for (int i = 0; i < 200; ++i) {
    run(session, {{"past", ramp({512, 4})}, {"now", ramp({1, 4})}});
  }
  EXPECT_EQ(session.statistics().plans.total.bound_runs, grown.bound_runs);  // remembered
}

TEST(Scenario, B013TheLimitOfCompilesIsToldWithTheAxis) {
  SessionOptions options = two_tiers();
  options.plans.min_compile_iters = 2;
  options.plans.breaker_new_boxes = 8;
  Events events;
  options.log = events.listener();
  Session session = session_of(R"(.input x f32[batch, height, 3]
.output y
LOAD_TENSOR r0, x
REDUCE_MAX r1, r0, axis=1
STORE_TENSOR y, r1
)",
                               options);
  for (std::int64_t height = 1; height <= 100; ++height) {
    for (int i = 0; i < 3; ++i) {
      const std::vector<NamedTensor> inputs = {{"x", ramp({2, height * 16, 3})}};
      EXPECT_TRUE(
          same_bits(run(session, inputs)[0], run_as(session, Tier::kInterpreter, inputs)[0]));
    }
  }
  ASSERT_THAT(events.of("breaker"), SizeIs(1));
  EXPECT_EQ(field(events.of("breaker")[0], "axis"), "height");
  EXPECT_THAT(field(events.of("breaker")[0], "advice"), HasSubstr("bucket_width"));
  EXPECT_EQ(session.statistics().plans.total.breaker_openings, 1u);
  EXPECT_LE(session.statistics().plans.total.compiles, 8u);
  EXPECT_EQ(session.statistics().failed_runs, 0u);
}

TEST(Scenario, B015APlanGivesTheBatchSizeOfTheRun) {
  Session session = session_of(R"(.input x f32[n, 3, 8, 8]
.const w f32[4, 3, 3, 3] = seeded(1)
.const d f32[4, 5] = seeded(2)
.output y
LOAD_TENSOR r0, x
CONV2D r1, r0, w
ELEMENTWISE_RELU r2, r1
REDUCE_MEAN r3, r2, axis=[2, 3]
MATMUL r4, r3, d
STORE_TENSOR y, r4
)",
                               two_tiers());
  for (int i = 0; i < 60; ++i) {
    run(session, {{"x", ramp({5, 3, 8, 8})}});
  }
  ASSERT_EQ(session.statistics().plans.total.plans, 1u);
  for (const std::int64_t n : {6, 5, 4, 0, 1, 17}) {
    const std::vector<NamedTensor> inputs = {{"x", ramp({n, 3, 8, 8})}};
    EXPECT_THAT(run(session, inputs)[0].shape(), ElementsAre(n, 5));
    run_everywhere(session, inputs);
  }
}

TEST(Scenario, B016ShapesAndStridesAreThoseOfTheRun) {
  Session session = session_of(R"(.input x f32[3, i]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_ADD r1, r0, 1.0
TRANSPOSE r2, r1, perm=[1, 0]
FLATTEN r3, r2, axis=0
STORE_TENSOR y, r3
)",
                               strict_options());
  run_as(session, Tier::kBucketed, {{"x", ramp({3, 8})}});
  for (std::int64_t i = 1; i <= 6; ++i) {
    std::vector<float> values(static_cast<std::size_t>(3 * i));
    std::iota(values.begin(), values.end(), 0.0f);
    std::vector<float> expected;
    for (std::int64_t column = 0; column < i; ++column) {
      for (std::int64_t row = 0; row < 3; ++row) {
        expected.push_back(values[static_cast<std::size_t>(row * i + column)] + 1);
      }
    }
    const std::vector<Tensor> outputs = run_everywhere(session, {{"x", floats({3, i}, values)}});
    EXPECT_THAT(outputs[0].shape(), ElementsAre(1, 3 * i));
    EXPECT_EQ(float_values(outputs[0]), expected);
  }
}

TEST(Scenario, B017MemoryIsSharedAsTheSizesOfTheRunSay) {
  Session session = session_of(R"(.input x f64[1, l, 16]
.const w f32[16, 4] = seeded(1)
.output y
LOAD_TENSOR r0, x
CAST r1, r0, to=f32
ELEMENTWISE_GREATER r2, r1, 0.0
ELEMENTWISE_SELECT r3, r2, r1, 0.0
MATMUL r4, r3, w
STORE_TENSOR y, r4
)",
                               strict_options());
  for (const std::int64_t length : {32, 1, 32, 16, 1}) {
    std::vector<double> values(static_cast<std::size_t>(length * 16));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<double>(i % 13) - 6;
    }
    const auto x = Tensor::copy_of(DType::kF64, std::vector<std::int64_t>{1, length, 16},
                                   std::span<const double>(values));
    EXPECT_THAT(run_everywhere(session, {{"x", *x}})[0].shape(), ElementsAre(1, length, 4));
  }
}

TEST(Scenario, B018ModelsOfOneNameShareNoPlans) {
  const auto program = [](int size, int seed) {
    const std::string n = std::to_string(size);
    return ".input x f32[batch, " + n + "]\n.const w f32[" + n + ", " + n + "] = seeded(" +
           std::to_string(seed) +
           ")\n.output y\nLOAD_TENSOR r0, x\nMATMUL r1, r0, w\nSTORE_TENSOR y, r1\n";
  };
  SessionOptions options = two_tiers();
  options.plans.record = true;
  Session three = session_of(program(3, 1), options);
  Session four = session_of(program(4, 1), options);
  Session other_weights = session_of(program(3, 2), options);
  for (int i = 0; i < 60; ++i) {
    run(three, {{"x", ramp({5, 3})}});
    run(four, {{"x", ramp({5, 4})}});
    run(other_weights, {{"x", ramp({5, 3})}});
  }
  run_everywhere(three, {{"x", ramp({5, 3})}});
  run_everywhere(four, {{"x", ramp({5, 4})}});
  EXPECT_FALSE(same_bits(run(three, {{"x", ramp({5, 3})}})[0],
                         run(other_weights, {{"x", ramp({5, 3})}})[0]));
  // What a profile names is sizes, so that of another program is told of, and does no harm.
  Events events;
  options.log = events.listener();
  Session warmed = session_of(program(4, 1), options);
  ASSERT_TRUE(warmed.warm_up(three.profile()));
  EXPECT_THAT(field(events.of("warm-up")[0], "reason"), HasSubstr("another program"));
  run_everywhere(warmed, {{"x", ramp({5, 4})}});
}

TEST(Scenario, B079NormalisationFusesOnlyWhereItsMeaningStays) {
  for (const char* gamma : {"f32[8]", "f32[1]", "f32[1, 1, 8]", "f32[3, 8]", "f32[]"}) {
    const std::string program = std::string(R"(.input x f32[batch, 3, 8]
.const gamma )") + gamma + R"( = seeded(4)
.output y
LOAD_TENSOR r0, x
REDUCE_MEAN r1, r0, axis=[-1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_MUL r3, r2, r2
REDUCE_MEAN r4, r3, axis=[-1], keepdims=true
ELEMENTWISE_ADD r5, r4, 1e-5
ELEMENTWISE_SQRT r6, r5
ELEMENTWISE_DIV r7, r2, r6
ELEMENTWISE_MUL r8, r7, gamma
STORE_TENSOR y, r8
)";
    Session fused = session_of(program);
    Session parts = session_of(program, strict_options());
    for (const std::int64_t batch : {2, 1, 0, 17}) {
      const std::vector<NamedTensor> inputs = {{"x", ramp({batch, 3, 8})}};
      const Tensor expected = run_everywhere(parts, inputs)[0];
      for (const Tier tier : {Tier::kAny, Tier::kBucketed, Tier::kExact}) {
        const Tensor actual = run_as(fused, tier, inputs)[0];
        ASSERT_EQ(actual.shape(), expected.shape());
        for (std::int64_t i = 0; i < actual.element_count(); ++i) {
          const auto index = static_cast<std::size_t>(i);
          ASSERT_NEAR(actual.values<float>()[index], expected.values<float>()[index], 1e-5f)
              << gamma << ", " << tier_name(tier);
        }
      }
    }
  }
}

TEST(Scenario, B081WhatIsAlsoAnOutputStays) {
  const char* const program = R"(.input x f32[n, 6]
.const w f32[6, 5] = seeded(1)
.const b f32[5] = seeded(2)
.output product
.output biased
.output y
LOAD_TENSOR r0, x
MATMUL r1, r0, w
STORE_TENSOR product, r1
ELEMENTWISE_ADD r2, r1, b
ELEMENTWISE_GELU r3, r2
ELEMENTWISE_MUL r4, r3, r1
STORE_TENSOR biased, r2
STORE_TENSOR y, r4
)";
  Session session = session_of(program, strict_options());
  for (const std::int64_t n : {1, 3, 0, 40}) {
    EXPECT_THAT(run_everywhere(session, {{"x", ramp({n, 6})}}), SizeIs(3));
  }
}

TEST(Scenario, B082OutputsThatAreInputsConstantsOrOneValueOwnTheirData) {
  const char* const program = R"(.input x f32[n]
.const c f32[2] = {7, 8}
.output same
.output more
.output constant
.output twice
LOAD_TENSOR r0, x
LOAD_CONST r1, c
ELEMENTWISE_ADD r2, r0, 10.0
STORE_TENSOR same, r0
STORE_TENSOR more, r2
STORE_TENSOR constant, r1
STORE_TENSOR twice, r2
)";
  Session session = session_of(program, strict_options());
  for (const Tier tier : {Tier::kInterpreter, Tier::kAny, Tier::kBucketed, Tier::kExact}) {
    for (int i = 0; i < 7; ++i) {
      Tensor x = floats({2}, {1, 2});
      const std::vector<Tensor> outputs = run_as(session, tier, {{"x", x}});
      static_cast<float*>(x.mutable_data())[0] = 99;
      EXPECT_THAT(float_values(outputs[0]), ElementsAre(1, 2)) << tier_name(tier);
      EXPECT_THAT(float_values(outputs[1]), ElementsAre(11, 12)) << tier_name(tier);
      EXPECT_THAT(float_values(outputs[2]), ElementsAre(7, 8)) << tier_name(tier);
      EXPECT_THAT(float_values(outputs[3]), ElementsAre(11, 12)) << tier_name(tier);
      std::vector<Tensor> writable = outputs;
      static_cast<float*>(writable[1].mutable_data())[0] = -5;
      EXPECT_THAT(float_values(outputs[3]), ElementsAre(11, 12)) << tier_name(tier);
    }
  }
}

// Under AddressSanitizer this also shows that nothing is written behind the ends.
TEST(Scenario, B084EverySizeAroundVectorsIsThatOfTheInterpreter) {
  Session session = session_of(R"(.input x f32[a, b]
.const row f32[5, 7] = seeded(3)
.output chain
.output sums
.output maxima
.output softmax
.output norm
.output transposed
.output product
LOAD_TENSOR r0, x
ELEMENTWISE_MUL r1, r0, 0.5
ELEMENTWISE_ADD r2, r1, r0
ELEMENTWISE_TANH r3, r2
STORE_TENSOR chain, r3
REDUCE_SUM r4, r0, axis=1
STORE_TENSOR sums, r4
REDUCE_MAX r5, r0, axis=0
STORE_TENSOR maxima, r5
SOFTMAX r6, r0
STORE_TENSOR softmax, r6
RMS_NORM r7, r0
STORE_TENSOR norm, r7
TRANSPOSE r8, r0, perm=[1, 0]
ELEMENTWISE_NEG r9, r8
STORE_TENSOR transposed, r9
MATMUL r10, r8, r0
STORE_TENSOR product, r10
)",
                               strict_options());
  for (std::int64_t size = 1; size <= 67; ++size) {
    run_everywhere(session, {{"x", ramp({size, 68 - size})}});
    run_everywhere(session, {{"x", ramp({3, size})}});
  }
  EXPECT_EQ(session.statistics().plans.total.quarantined, 0u);
}

}  // namespace
}  // namespace pliant
