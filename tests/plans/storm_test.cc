// Everything that a session can be asked for at the same time, while plans come and go: what runs
// answer does not depend on it. Most of its worth is under ThreadSanitizer.

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <tuple>

#include "plans/plans_fixture.h"

namespace pliant {
namespace {

using ::testing::IsEmpty;
using namespace testing;

constexpr std::size_t kMaxPlans = 3;

// Packed constants, blocks of rows, and a view of what a plan made.
constexpr const char* kLayer = R"(
.input x f32[n, m, 12]
.const w f32[12, 20] = seeded(2)
.const b f32[20] = seeded(3)
.output y
LOAD_TENSOR r0, x
MATMUL r1, r0, w
ELEMENTWISE_ADD r2, r1, b
ELEMENTWISE_RELU r3, r2
SOFTMAX r4, r3, axis=-1
TRANSPOSE r5, r4, perm=[0, 2, 1]
REDUCE_SUM r6, r5, axis=2
STORE_TENSOR y, r6
)";

// A segment for values of `axis`, then one whose sizes depend on elements.
constexpr const char* kSegments = R"(
.input x f32[n, m]
.input axis i64[1]
.output y
.output z
LOAD_TENSOR r0, x
LOAD_TENSOR r1, axis
ELEMENTWISE_NEG r2, r0
REDUCE_MAX r3, r2, axis=r1
ELEMENTWISE_ADD r4, r3, 1.0
STORE_TENSOR y, r4
NON_ZERO r5, r0
CAST r6, r5, to=f32
ELEMENTWISE_MUL r7, r6, 2.0
STORE_TENSOR z, r7
)";

// Segments in arms and behind them, for ranks that only runs tell.
constexpr const char* kArms = R"(
.input x f32[...]
.input k f32[n]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, k
QUERY_SHAPE r2, r1.dim(0)
BRANCH_ON_SHAPE r2, >, 20, @many
ELEMENTWISE_NEG r3, r0
JUMP @end
@many:
ELEMENTWISE_ABS r3, r0
@end:
REDUCE_SUM r4, r1, axis=0, keepdims=true
ELEMENTWISE_ADD r5, r3, r4
STORE_TENSOR y, r5
)";

// The second output makes a difference of one rounding a large one, so that fused plans are found to
// answer otherwise than the interpreter.
constexpr const char* kAmplified = R"(
.input x f32[n, m]
.output y
.output z
LOAD_TENSOR r0, x
ELEMENTWISE_NEG r1, r0
STORE_TENSOR y, r1
REDUCE_MAX r2, r0, axis=[-1], keepdims=true
ELEMENTWISE_SUB r3, r0, r2
ELEMENTWISE_EXP r4, r3
REDUCE_SUM r5, r4, axis=[-1], keepdims=true
ELEMENTWISE_DIV r6, r4, r5
REDUCE_SUM r7, r6, axis=1
ELEMENTWISE_SUB r8, r7, 1.0
ELEMENTWISE_MUL r9, r8, 1e12
STORE_TENSOR z, r9
)";

/// A run with the first outputs that it has to give.
struct Request {
  std::vector<NamedTensor> inputs;
  std::vector<NamedSize> sizes;  ///< empty: which there are is known when it runs
  std::vector<Tensor> expected;
};

std::vector<Request> layer_requests() {
  std::vector<Request> requests;
  for (const std::int64_t n : {0, 1, 2, 19}) {
    for (const std::int64_t m : {1, 5, 17, 33, 70}) {
      requests.push_back({{{"x", ramp({n, m, 12})}}, {{"n", n}, {"m", m}}, {}});
    }
  }
  return requests;
}

std::vector<Request> segment_requests() {
  std::vector<Request> requests;
  for (const std::int64_t axis : {0, 1, -1, -2}) {
    for (const std::int64_t n : {1, 4, 18, 40}) {
      requests.push_back({{{"x", ramp({n, 7})}, {"axis", integers({1}, {axis})}},
                          {{"n", n}, {"m", 7}, {"axis[0]", axis}},
                          {}});
    }
  }
  return requests;
}

std::vector<Request> arm_requests() {
  std::vector<Request> requests;
  for (const std::int64_t n : {1, 3, 21, 50}) {
    for (const std::size_t rank : {0, 1, 2, 3}) {
      const std::vector<std::int64_t> shape(rank, n % 7 + 1);
      requests.push_back({{{"x", ramp(shape)}, {"k", ramp({n})}}, {}, {}});
    }
  }
  return requests;
}

std::vector<Request> amplified_requests() {
  std::vector<Request> requests;
  for (const std::int64_t n : {1, 2, 19, 36}) {
    for (const std::int64_t m : {9, 23, 40}) {
      requests.push_back({{{"x", ramp({n, m})}}, {{"n", n}, {"m", m}}, {}});
    }
  }
  return requests;
}

/// Asks a session for everything, each thread in an order of its own.
class Storm {
 public:
  /// The first `compared` outputs have the same bits in all tiers.
  Storm(Session& session, std::vector<Request> requests, std::size_t compared)
      : session_(session), requests_(std::move(requests)) {
    for (Request& request : requests_) {
      request.expected = run_as(session_, Tier::kInterpreter, request.inputs);
      request.expected.resize(std::min(request.expected.size(), compared));
    }
  }

  /// Returns what was answered wrongly.
  std::set<std::string> rage(unsigned thread_count, unsigned rounds) {
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < thread_count; ++number) {
      threads.emplace_back([this, number, rounds] {
        for (unsigned round = 0; round < rounds; ++round) {
          const unsigned turn = number * 31 + round;
          ask(turn, requests_[turn * 7 % requests_.size()]);
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    return wrong_;
  }

 private:
  void ask(unsigned turn, const Request& request) {
    switch (turn % 11) {
      case 0:
        for (const SegmentStatistics& segment : session_.statistics().plans.segments) {
          expect("number of plans", segment.counters.plans <= kMaxPlans);
        }
        break;
      case 1:
        session_.trim();
        break;
      case 2:
        // Nothing may have been recorded yet.
        static_cast<void>(session_.warm_up(session_.profile()));
        break;
      case 3:
        expect_done("warm_up_exact", request, session_.warm_up_exact(request.sizes));
        break;
      case 4:
        expect_done("estimate", request, session_.estimate(request.sizes));
        break;
      case 5:
        expect("explain", session_.explain(request.inputs).has_value());
        break;
      case 6: {
        std::vector<SegmentRun> report;
        std::string trace;
        expect("run with report and trace", answers(request, {std::nullopt, &report, &trace}));
        expect("report and trace", !report.empty() && !trace.empty());
        break;
      }
      case 7: {
        constexpr std::array kTiers = {Tier::kAny, Tier::kBucketed, Tier::kExact};
        const Tier tier = kTiers[turn % kTiers.size()];
        expect(tier_name(tier), answers(request, {tier}));
        break;
      }
      default:
        expect("run", answers(request, {}));
    }
  }

  /// A tier that was asked for may be refused.
  bool answers(const Request& request, const RunOptions& options) {
    const auto outputs = session_.run(request.inputs, options);
    if (!outputs) {
      return options.tier && outputs.error().code == ErrorCode::kUnsupported;
    }
    return outputs->size() >= request.expected.size() &&
           std::equal(request.expected.begin(), request.expected.end(), outputs->begin(),
                      same_bits);
  }

  template <typename Outcome>
  void expect_done(const std::string& what, const Request& request, const Outcome& outcome) {
    if (!outcome) {
      const ErrorCode code = outcome.error().code;
      const bool has_no_sizes = request.sizes.empty() && code == ErrorCode::kInvalidArgument;
      expect(what + ": " + outcome.error().to_string(),
             code == ErrorCode::kUnsupported || has_no_sizes);
    }
  }

  void expect(const std::string& what, bool condition) {
    if (!condition) {
      const std::lock_guard lock(mutex_);
      wrong_.insert(what);
    }
  }

  Session& session_;
  std::vector<Request> requests_;
  std::mutex mutex_;
  std::set<std::string> wrong_;  // guarded by mutex_
};

/// Plans are few, small in sum, and made at first sight; the breaker opens and closes all the time.
SessionOptions restless(Floor floor, Compiling compiling) {
  SessionOptions options = strict_options();
  options.threads = 2;
  options.plans.floor = floor;
  options.plans.compiling = compiling;
  options.plans.record = true;
  options.plans.min_compile_iters = 1;
  options.plans.max_plans = kMaxPlans;
  options.plans.max_plan_bytes = 64 << 10;
  options.plans.breaker_new_boxes = 3;
  options.plans.breaker_window = std::chrono::milliseconds(1);
  options.plans.breaker_calm_period = std::chrono::milliseconds(0);
  return options;
}

/// How plans come to be in a session.
class AStorm : public ::testing::TestWithParam<std::tuple<Floor, Compiling>> {
 protected:
  AStorm() : options_(restless(std::get<0>(GetParam()), std::get<1>(GetParam()))) {}

  /// Returns what became of plans, once nothing moves any more.
  PlanCounters over(const char* program, std::vector<Request> requests, std::size_t compared) {
    Session session = session_of(program, options_);
    EXPECT_THAT(Storm(session, std::move(requests), compared).rage(6, 66), IsEmpty());
    session.finish_compiling();
    return session.statistics().plans.total;
  }

  SessionOptions options_;
};

TEST_P(AStorm, OverOneSegment) {
  const PlanCounters total = over(kLayer, layer_requests(), 1);
  EXPECT_GT(total.compiles, 0u);
  EXPECT_GT(total.evictions, 0u);
  EXPECT_EQ(total.quarantined, 0u);
}

TEST_P(AStorm, OverSegmentsForSingleValues) {
  const PlanCounters total = over(kSegments, segment_requests(), 2);
  EXPECT_GT(total.compiles, 0u);
  EXPECT_GT(total.evictions, 0u);
  EXPECT_EQ(total.quarantined, 0u);
}

TEST_P(AStorm, OverSegmentsOfRanksThatRunsTell) {
  const PlanCounters total = over(kArms, arm_requests(), 1);
  EXPECT_GT(total.compiles, 0u);
  EXPECT_EQ(total.quarantined, 0u);
}

TEST_P(AStorm, OverPlansThatAnswerOtherwise) {
  options_.plans.rounding_fusions = true;
  Events events;
  options_.log = events.listener();
  const PlanCounters total = over(kAmplified, amplified_requests(), 1);
  EXPECT_GT(total.quarantined, 0u);
  EXPECT_EQ(events.of("quarantine").size(), total.quarantined);
}

INSTANTIATE_TEST_SUITE_P(Plans, AStorm,
                         ::testing::Combine(::testing::Values(Floor::kPlan, Floor::kInterpreter),
                                            ::testing::Values(Compiling::kBackground,
                                                              Compiling::kSync)));

}  // namespace
}  // namespace pliant
