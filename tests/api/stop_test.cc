// Runs that are stopped: whatever they are doing, in every tier, on any number of threads. Nothing
// here depends on how fast the machine is: the runs would take seconds to hours, and end.

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "api/session_fixture.h"

namespace pliant {
namespace {

using testing::float_values;
using testing::floats;
using testing::session_of;
using ::testing::StartsWith;

/// A program of x f32[n] and a size m, which comes as a tensor without elements.
struct Case {
  const char* name;
  const char* instructions;
  const char* stops_in;  ///< the instruction whose line the error names
  std::int64_t m;        ///< such that a run takes long
  std::int64_t n = 100;
};

constexpr const char* kDeclarations = R"(
.input x f32[n]
.input size f32[m, 0]
.output y
LOAD_TENSOR r0, x
)";

// Broadcasts make work without memory.
const Case kCases[] = {
    {"matmul", R"(
BROADCAST_TO r1, r0, [m, n]
BROADCAST_TO r2, 0.5, [n, m]
MATMUL r3, r1, r2
REDUCE_SUM r4, r3
STORE_TENSOR y, r4
)",
     "MATMUL", 5000, 4000},
    {"matmul_f64", R"(
CAST r1, r0, to=f64
BROADCAST_TO r2, r1, [m, n]
BROADCAST_TO r3, r1, [m, n]
TRANSPOSE r4, r3, perm=[1, 0]
MATMUL r5, r2, r4
REDUCE_SUM r6, r5
CAST r7, r6, to=f32
STORE_TENSOR y, r7
)",
     "MATMUL", 2000, 4000},
    {"attention", R"(
BROADCAST_TO r1, r0, [1, 1, m, n]
ATTENTION r2, r1, r1, r1
REDUCE_SUM r3, r2
STORE_TENSOR y, r3
)",
     "ATTENTION", 100000},
    {"convolution", R"(
BROADCAST_TO r1, r0, [1, m, n, n]
BROADCAST_TO r2, 0.5, [m, m, 3, 3]
CONV2D r3, r1, r2
REDUCE_SUM r4, r3
STORE_TENSOR y, r4
)",
     "CONV2D", 2000},
    {"global_sum", R"(
BROADCAST_TO r1, r0, [m, n]
REDUCE_SUM r2, r1
STORE_TENSOR y, r2
)",
     "REDUCE_SUM", 40000000000},
    {"sum_of_columns", R"(
BROADCAST_TO r1, r0, [m, n]
REDUCE_SUM r2, r1, axis=0
STORE_TENSOR y, r2
)",
     "REDUCE_SUM", 40000000000},
    {"sum_of_logarithms", R"(
BROADCAST_TO r1, r0, [m, n]
REDUCE_LOG_SUM_EXP r2, r1, axis=0
STORE_TENSOR y, r2
)",
     "REDUCE_LOG_SUM_EXP", 40000000000},
    {"arg_max", R"(
BROADCAST_TO r1, r0, [m, n]
ARG_MAX r2, r1, axis=0
CAST r3, r2, to=f32
STORE_TENSOR y, r3
)",
     "ARG_MAX", 40000000000},
    {"non_zero", R"(
BROADCAST_TO r1, 0.0, [m, n]
NON_ZERO r2, r1
CAST r3, r2, to=f32
STORE_TENSOR y, r3
)",
     "NON_ZERO", 40000000000},
    {"loop", R"(
@loop:
LOOP_BEGIN r1, m, @done
ELEMENTWISE_ADD r0, r0, 1.0
LOOP_END @loop
@done:
STORE_TENSOR y, r0
)",
     "", 1000000000000},
};

constexpr std::int64_t kSmall = 3;

struct Setting {
  Case what;
  int threads;
  Tier tier;
};

void PrintTo(const Setting& setting, std::ostream* stream) {
  *stream << setting.what.name;
}

class Stop : public ::testing::TestWithParam<Setting> {
 protected:
  static std::string program() { return std::string(kDeclarations) + GetParam().what.instructions; }
  /// "test.pasm:9:", the place of the instruction that the run is in when it is stopped.
  static std::string place() {
    const std::string text = program();
    const std::size_t at = text.find(GetParam().what.stops_in);
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return *GetParam().what.stops_in == '\0' ? "test.pasm:"
                                             : "test.pasm:" + std::to_string(line) + ":";
  }
  static SessionOptions session_options() {
    SessionOptions options;
    options.threads = GetParam().threads;
    return options;
  }
  static std::vector<NamedTensor> inputs(std::int64_t m) {
    std::vector<float> values(static_cast<std::size_t>(GetParam().what.n));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = 0.25F * static_cast<float>(i % 7) - 0.5F;
    }
    return {{"x", floats({GetParam().what.n}, values)}, {"size", floats({m, 0}, {})}};
  }
};

TEST_P(Stop, EndsARunInItsMiddleAndTheSessionGoesOn) {
  Session fresh = session_of(program(), session_options());
  const std::vector<Tensor> expected = testing::run(fresh, inputs(kSmall));

  Session session = session_of(program(), session_options());
  testing::run(session, inputs(kSmall));
  session.trim();
  const std::size_t live_bytes = session.statistics().live_bytes;
  for (int repetition = 0; repetition < 2; ++repetition) {
    const auto caller = std::this_thread::get_id();
    int questions = 0;
    RunOptions options;
    options.tier = GetParam().tier;
    options.should_stop = [&] {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      return ++questions == 2;  // and is not asked again
    };
    const auto outputs = session.run(inputs(GetParam().what.m), options);
    ASSERT_FALSE(outputs);
    EXPECT_EQ(outputs.error().code, ErrorCode::kCancelled) << outputs.error().to_string();
    EXPECT_THAT(outputs.error().message, StartsWith("stopped before it was done"));
    EXPECT_THAT(outputs.error().where, StartsWith(place()));
    EXPECT_EQ(questions, 2);
  }
  session.trim();
  EXPECT_EQ(session.statistics().live_bytes, live_bytes);
  EXPECT_EQ(session.statistics().failed_runs, 2U);
  const std::vector<Tensor> outputs = testing::run(session, inputs(kSmall));
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(float_values(outputs[0]), float_values(expected[0]));
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const Case& what : kCases) {
    for (const int threads : {1, 2}) {
      for (const Tier tier : {Tier::kAuto, Tier::kInterpreter}) {
        all.push_back({what, threads, tier});
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Stop, ::testing::ValuesIn(settings()), [](const auto& setting) {
  return std::string(setting.param.what.name) + "_" + std::to_string(setting.param.threads) +
         (setting.param.tier == Tier::kAuto ? "_plan" : "_interpreter");
});

constexpr const char* kDoubling = R"(
.input x f32[n]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_ADD r1, r0, r0
STORE_TENSOR y, r1
)";

TEST(StopOfARun, ShortOnesAreNotEvenAsked) {
  Session session = session_of(kDoubling);
  RunOptions options;
  options.should_stop = [] {
    ADD_FAILURE() << "asked";
    return true;
  };
  std::string trace;
  options.trace = &trace;
  const NamedTensor x{"x", floats({2}, {1, 2})};
  const auto outputs = session.run({&x, 1}, options);
  ASSERT_TRUE(outputs);
  EXPECT_THAT(float_values((*outputs)[0]), ::testing::ElementsAre(2, 4));
}

TEST(StopOfARun, OthersOfTheSessionDoNotNotice) {
  const std::string program = std::string(kDeclarations) + kCases[4].instructions;  // global_sum
  SessionOptions session_options;
  session_options.threads = 2;
  Session session = session_of(program, session_options);
  const auto inputs = [](std::int64_t m) -> std::vector<NamedTensor> {
    return {{"x", floats({4}, {1, 2, 3, 4})}, {"size", floats({m, 0}, {})}};
  };
  std::atomic<bool> stops{false};
  std::thread stopped([&] {
    RunOptions options;
    options.should_stop = [&] { return stops.load(); };
    const auto outputs = session.run(inputs(40000000000), options);
    ASSERT_FALSE(outputs);
    EXPECT_EQ(outputs.error().code, ErrorCode::kCancelled);
  });
  for (int i = 0; i < 200; ++i) {
    if (i == 100) {
      stops = true;
    }
    EXPECT_EQ(float_values(testing::run(session, inputs(20000))[0])[0], 200000);
  }
  stopped.join();
}

}  // namespace
}  // namespace pliant
