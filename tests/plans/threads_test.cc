#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "plans/plans_fixture.h"

namespace pliant {
namespace {

using namespace testing;

constexpr const char* kProgram = R"(
.input x f32[n, 3]
.const w f32[3, 4] = seeded(2)
.output y
LOAD_TENSOR r0, x
MATMUL r1, r0, w
ELEMENTWISE_RELU r2, r1
TRANSPOSE r3, r2, perm=[1, 0]
REDUCE_SUM r4, r3, axis=0
STORE_TENSOR y, r4
)";

/// Runs many sizes from many threads; each thread takes them in another order.
void storm(Session& session, int thread_count, const std::vector<std::int64_t>& sizes, int rounds,
           const std::function<void(int)>& meanwhile) {
  std::vector<Tensor> expected;
  for (const std::int64_t size : sizes) {
    expected.push_back(run_as(session, Tier::kInterpreter, {{"x", ramp({size, 3})}})[0]);
  }
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < thread_count; ++number) {
    threads.emplace_back([&, number] {
      for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
          const std::size_t which =
              (i * 7 + static_cast<std::size_t>(number * 5 + round)) % sizes.size();
          const auto outputs =
              session.run(std::vector<NamedTensor>{{"x", ramp({sizes[which], 3})}});
          if (!outputs || !same_bits((*outputs)[0], expected[which])) {
            ++wrong;
          }
        }
        if (meanwhile) {
          meanwhile(number);
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
}

std::vector<std::int64_t> sizes_to(std::int64_t count) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i < count; ++i) {
    sizes.push_back(i * 5);
  }
  return sizes;
}

SessionOptions eager(Compiling compiling) {
  SessionOptions options = strict_options();
  options.threads = 2;
  options.plans.floor = Floor::kInterpreter;
  options.plans.compiling = compiling;
  options.plans.min_compile_iters = 1;
  options.plans.breaker_new_boxes = 0;
  options.plans.max_plans = 3;  // so that plans go while others run them
  return options;
}

// B021: as many new boxes as threads at the same moment, and one thread that compiles.
TEST(Threads, B021NewBoxesFromAllThreadsAtOnceInTheBackground) {
  Session session = session_of(kProgram, eager(Compiling::kBackground));
  storm(session, 8, sizes_to(16), 4, nullptr);
  session.finish_compiling();
  const PlanCounters total = session.statistics().plans.total;
  EXPECT_GT(total.compiles, 0u);
  EXPECT_LE(total.plans, 3u);
  EXPECT_EQ(total.quarantined, 0u);
  EXPECT_EQ(total.bucketed_runs + total.interpreted_runs, 8u * 16 * 4);
}

TEST(Threads, CompilingInTheRunsThemselves) {
  Session session = session_of(kProgram, eager(Compiling::kSync));
  storm(session, 4, sizes_to(16), 4, nullptr);
  EXPECT_LE(session.statistics().plans.total.plans, 3u);
}

TEST(Threads, OneBoxIsCompiledOnce) {
  SessionOptions options = eager(Compiling::kSync);
  options.plans.max_plans = 32;
  Session session = session_of(kProgram, options);
  storm(session, 8, {17, 18, 19, 20}, 10, nullptr);
  EXPECT_EQ(session.statistics().plans.total.compiles, 1u);
}

TEST(Threads, TrimStatisticsAndProfilesMeanwhile) {
  SessionOptions options = eager(Compiling::kBackground);
  options.plans.record = true;
  Session session = session_of(kProgram, options);
  storm(session, 4, sizes_to(16), 4, [&](int number) {
    if (number % 2 == 0) {
      session.trim();
    } else {
      EXPECT_FALSE(session.profile().empty());
      EXPECT_LE(session.statistics().plans.total.plans, 3u);
    }
  });
}

TEST(Threads, ASessionMayEndWhileItCompiles) {
  for (int i = 0; i < 20; ++i) {
    Session session = session_of(kProgram, eager(Compiling::kBackground));
    for (std::int64_t size = 0; size < 8; ++size) {
      run(session, {{"x", ramp({size * 16 + 1, 3})}});
    }
  }
}

}  // namespace
}  // namespace pliant
