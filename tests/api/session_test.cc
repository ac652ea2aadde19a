#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include "api/session_fixture.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::float_values;
using testing::floats;
using ::testing::HasSubstr;
using testing::run;
using testing::run_error;
using testing::session_of;

constexpr const char* kListing = R"(
.dim    batch
.input  input   f32[batch, seq, 64]
.const  weights f32[64, 32] = seeded(7)
.output output
LOAD_TENSOR   r0, input
QUERY_SHAPE   r1, r0.dim(1)
BROADCAST_TO  r2, r1, [1]
MATMUL        r3, r0, weights
RESHAPE       r4, r3, [batch, -1]
REDUCE_SUM    r5, r4, axis=1
STORE_TENSOR  output, r5
)";

constexpr const char* kNegation = R"(
.input x f32[n]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_NEG r1, r0
STORE_TENSOR y, r1
)";

Tensor filled(std::vector<std::int64_t> shape, float value) {
  auto tensor = Tensor::allocate(DType::kF32, shape);
  EXPECT_TRUE(tensor);
  std::fill_n(static_cast<float*>(tensor->mutable_data()), tensor->element_count(), value);
  return *tensor;
}

TEST(Session, RunsTheSameProgramAtAnySize) {
  Session session = session_of(kListing);
  EXPECT_EQ(session.model().constant_bytes(), 64u * 32 * 4);
  float one_row = 0;
  for (const std::int64_t seq : {1, 5, 64}) {
    for (const std::int64_t batch : {1, 3}) {
      const auto outputs = run(session, {{"input", filled({batch, seq, 64}, 1)}});
      ASSERT_EQ(outputs.size(), 1u);
      EXPECT_THAT(outputs[0].shape(), ElementsAre(batch));
      if (seq == 1 && batch == 1) {
        one_row = float_values(outputs[0])[0];
      }
      EXPECT_THAT(float_values(outputs[0]),
                  Each(::testing::FloatNear(one_row * static_cast<float>(seq), 1e-3f)));
    }
  }
  EXPECT_THAT(float_values(run(session, {{"input", filled({2, 0, 64}, 1)}})[0]), ElementsAre(0, 0));
}

TEST(Session, ErrorsInsideTheModelNameThePlaceAndTheShapes) {
  Session session = session_of(R"(.input a f32[n]
.input b f32[m]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_ADD r2, r0, r1
STORE_TENSOR y, r2
)");
  const Error error =
      run_error(session, {{"a", floats({2}, {1, 2})}, {"b", floats({3}, {1, 2, 3})}});
  EXPECT_EQ(error.code, ErrorCode::kShapeMismatch);
  EXPECT_THAT(error.message, AllOf(HasSubstr("lhs is f32[2]"), HasSubstr("rhs is f32[3]")));
  EXPECT_THAT(error.where, HasSubstr("test.pasm:6:"));
  EXPECT_THAT(float_values(run(session, {{"a", floats({1}, {1})}, {"b", floats({2}, {1, 2})}})[0]),
              ElementsAre(2, 3));
}

TEST(Session, ManyThreadsMayRunAtOnce) {
  Session session = session_of(kListing);
  std::map<std::int64_t, float> expected;
  for (std::int64_t seq = 1; seq <= 8; ++seq) {
    expected[seq] = float_values(run(session, {{"input", filled({1, seq, 64}, 1)}})[0])[0];
  }
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::int64_t seq = 1 + (t * 3 + i) % 8;
        const std::vector<NamedTensor> inputs = {{"input", filled({1, seq, 64}, 1)}};
        const auto outputs = session.run(inputs);
        wrong += !outputs || (*outputs)[0].values<float>()[0] != expected[seq] ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(session.statistics().runs, 208u);
}

TEST(Session, ARunThatWouldPassTheLimitFailsAndOthersGoOn) {
  SessionOptions options;
  options.max_bytes = 1 << 16;
  Session session = session_of(kNegation, options);
  const Error error = run_error(session, {{"x", filled({1 << 20}, 1)}});
  EXPECT_EQ(error.code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(error.where, HasSubstr("test.pasm"));
  EXPECT_THAT(float_values(run(session, {{"x", floats({1}, {1})}})[0]), ElementsAre(-1));
  EXPECT_EQ(session.statistics().failed_runs, 1u);
}

TEST(Session, MemoryGoesBackWhenOutputsAreGone) {
  Session session = session_of(kNegation);
  { const auto outputs = run(session, {{"x", filled({1000}, 1)}}); }
  const SessionStatistics statistics = session.statistics();
  EXPECT_EQ(statistics.live_bytes, 0u);
  EXPECT_GE(statistics.peak_bytes, 4000u);
  session.trim();
  EXPECT_EQ(session.statistics().reserved_bytes, 0u);
  EXPECT_THAT(float_values(run(session, {{"x", floats({1}, {1})}})[0]), ElementsAre(-1));
}

TEST(Session, DeadTensorsAreReleasedDuringTheRun) {
  std::string assembly = ".input x f32[n]\n.output y\nLOAD_TENSOR r0, x\n";
  for (int i = 0; i < 50; ++i) {
    assembly += "ELEMENTWISE_NEG r" + std::to_string(i + 1) + ", r" + std::to_string(i) + "\n";
  }
  assembly += "STORE_TENSOR y, r50\n";
  const std::vector<NamedTensor> inputs = {{"x", filled({10000}, 1)}};
  constexpr std::size_t kBlock = 40960;  // of the pool's size class
  Session interpreted = session_of(assembly);
  ASSERT_TRUE(interpreted.run(inputs, {.tier = Tier::kInterpreter}));
  EXPECT_LE(interpreted.statistics().peak_bytes, 2 * kBlock);
  Session planned = session_of(assembly);
  ASSERT_TRUE(planned.run(inputs, {.tier = Tier::kAny}));
  EXPECT_LE(planned.statistics().peak_bytes, 3 * kBlock);  // an arena of two, and the output
}

TEST(Session, LoopsAndBranchesFollowTheSizes) {
  Session session = session_of(R"(
.input x f32[n]
.output y
LOAD_TENSOR r0, x
QUERY_SHAPE r1, r0.dim(0)
BRANCH_ON_SHAPE r1, ==, 1, @single
@loop:
LOOP_BEGIN r2, r1, @done
ELEMENTWISE_ADD r0, r0, 1.0
LOOP_END @loop
@done:
STORE_TENSOR y, r0
HALT
@single:
ELEMENTWISE_NEG r3, r0
STORE_TENSOR y, r3
)");
  EXPECT_THAT(float_values(run(session, {{"x", floats({3}, {1, 2, 3})}})[0]), ElementsAre(4, 5, 6));
  EXPECT_THAT(float_values(run(session, {{"x", floats({1}, {5})}})[0]), ElementsAre(-5));
  EXPECT_THAT(run(session, {{"x", floats({0}, {})}})[0].shape(), ElementsAre(0));
}

TEST(Session, RandomNumbersDifferFromRunToRun) {
  Session session = session_of(R"(
.output y
RANDOM_UNIFORM r0, [16], seed=3, to=f32
STORE_TENSOR y, r0
)");
  Session again = session_of(R"(
.output y
RANDOM_UNIFORM r0, [16], seed=3, to=f32
STORE_TENSOR y, r0
)");
  const auto first = float_values(run(session, {})[0]);
  const auto second = float_values(run(session, {})[0]);
  EXPECT_NE(first, second);
  EXPECT_EQ(first, float_values(run(again, {})[0]));
  EXPECT_EQ(second, float_values(run(again, {})[0]));
}

TEST(SessionOptions, AreChecked) {
  auto model = Model::from_assembly(kNegation, "test.pasm");
  ASSERT_TRUE(model);
  for (const int threads : {-1, 257}) {
    SessionOptions options;
    options.threads = threads;
    EXPECT_EQ(Session::create(*model, options).error().code, ErrorCode::kInvalidArgument);
  }
  SessionOptions options;
  options.cpu_level = "sse9";
  const auto unknown = Session::create(*model, options);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, AllOf(HasSubstr("portable"), HasSubstr("sse9")));
}

TEST(SessionOptions, ThePortableLevelGivesTheSameResult) {
  SessionOptions options;
  options.threads = 1;
  options.cpu_level = "portable";
  Session session = session_of(kListing, options);
  Session best = session_of(kListing);
  const float portable = float_values(run(session, {{"input", filled({1, 7, 64}, 1)}})[0])[0];
  const float native = float_values(run(best, {{"input", filled({1, 7, 64}, 1)}})[0])[0];
  EXPECT_NEAR(portable, native, 1e-3);
}

TEST(SessionLog, TellsOfLoadingAndOfFailedRuns) {
  std::vector<LogEvent> events;
  SessionOptions options;
  options.log = [&](const LogEvent& event) { events.push_back(event); };
  Session session = session_of(kNegation, std::move(options));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, "load");
  run_error(session, {});
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].kind, "run");
  EXPECT_EQ(events[1].level, LogEvent::Level::kError);
}

TEST(Version, IsANumber) {
  EXPECT_THAT(version(), HasSubstr("."));
}

}  // namespace
}  // namespace pliant
