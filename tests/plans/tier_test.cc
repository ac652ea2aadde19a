#include <gmock/gmock.h>

#include "plans/plans_fixture.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace testing;

constexpr const char* kMatrix = R"(
.input x f32[rows, 8]
.const w f32[8, 5] = seeded(3)
.output y
LOAD_TENSOR r0, x
MATMUL r1, r0, w
ELEMENTWISE_RELU r2, r1
STORE_TENSOR y, r2
)";

// The number of coordinates depends on elements: two segments, and an instruction between them.
constexpr const char* kTwoSegments = R"(
.input x f32[n]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_ADD r1, r0, 1.0
NON_ZERO r2, r1
CAST r3, r2, to=f32
ELEMENTWISE_MUL r4, r3, 2.0
STORE_TENSOR y, r4
)";

TEST(Tiers, HaveNames) {
  for (const Tier tier :
       {Tier::kAuto, Tier::kInterpreter, Tier::kAny, Tier::kBucketed, Tier::kExact}) {
    EXPECT_EQ(tier_from_name(tier_name(tier)), tier);
  }
  EXPECT_EQ(tier_from_name("fastest"), std::nullopt);
}

TEST(Tiers, ChosenByHandRunWhatTheySay) {
  Session session = session_of(kMatrix, strict_options());
  const std::vector<NamedTensor> inputs = {{"x", ramp({20, 8})}};
  const std::vector<Tensor> expected = run_as(session, Tier::kInterpreter, inputs);
  const std::pair<Tier, const char*> wanted[] = {
      {Tier::kAny, "rows any"}, {Tier::kBucketed, "rows 17..32"}, {Tier::kExact, "rows 20"}};
  for (const auto& [tier, box] : wanted) {
    std::vector<SegmentRun> report;
    const std::vector<Tensor> outputs = run_as(session, tier, inputs, &report);
    EXPECT_TRUE(same_bits(outputs[0], expected[0])) << tier_name(tier);
    ASSERT_EQ(report.size(), 1u);
    EXPECT_EQ(report[0].tier, tier);
    EXPECT_EQ(report[0].box, box);
    EXPECT_EQ(report[0].reason, "");
  }
  const PlanCounters& total = session.statistics().plans.total;
  EXPECT_EQ(total.any_runs, 1u);
  EXPECT_EQ(total.bucketed_runs, 1u);
  EXPECT_EQ(total.exact_runs, 1u);
  EXPECT_EQ(total.plans, 2u);
  EXPECT_EQ(total.quarantined, 0u);
  EXPECT_EQ(total.unchecked, 0u);
}

TEST(Tiers, AreAnOptionOfTheSession) {
  SessionOptions options = strict_options();
  options.plans.tier = Tier::kExact;
  Session session = session_of(kMatrix, options);
  for (const std::int64_t rows : {1, 2, 1, 2, 2}) {
    run(session, {{"x", ramp({rows, 8})}});
  }
  const PlanCounters& total = session.statistics().plans.total;
  EXPECT_EQ(total.exact_runs, 5u);
  EXPECT_EQ(total.compiles, 2u);
}

TEST(Tiers, TheInterpreterTellsThatItWasAskedFor) {
  Session session = session_of(kMatrix);
  std::vector<SegmentRun> report;
  run_as(session, Tier::kInterpreter, {{"x", ramp({2, 8})}}, &report);
  ASSERT_EQ(report.size(), 1u);
  EXPECT_EQ(report[0].tier, Tier::kInterpreter);
  EXPECT_THAT(report[0].reason, HasSubstr("asked for"));
}

TEST(Tiers, APlanOfOneSizeIsThatOfAnySize) {
  Session session = session_of(R"(.input x f32[4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_NEG r1, r0
STORE_TENSOR y, r1
)",
                               strict_options());
  run_everywhere(session, {{"x", ramp({4})}});
  EXPECT_EQ(session.statistics().plans.total.plans, 0u);
  EXPECT_EQ(session.statistics().plans.total.floor_plans, 1u);
}

TEST(Tiers, SegmentsMeetWhereSizesDependOnElements) {
  SessionOptions options = strict_options();
  options.plans.compiling = Compiling::kSync;
  Session session = session_of(kTwoSegments, options);
  const std::vector<NamedTensor> inputs = {{"x", floats({5}, {-1, 2, -1, 3, 4})}};
  const std::vector<Tensor> outputs = run_everywhere(session, inputs);
  EXPECT_THAT(float_values(outputs[0]), ElementsAre(2, 6, 8));
  std::vector<SegmentRun> report;
  run_as(session, Tier::kAny, inputs, &report);
  ASSERT_EQ(report.size(), 3u);
  EXPECT_EQ(report[0].tier, Tier::kAny);
  EXPECT_EQ(report[1].tier, Tier::kInterpreter);
  EXPECT_THAT(report[1].reason, HasSubstr("depend"));
  EXPECT_EQ(report[2].tier, Tier::kAny);
}

TEST(Tiers, ALoopFindsWhatItLeftTheTimeBefore) {
  // r0 and r5 are read nowhere but in the part of the loop that writes them.
  Session session = session_of(R"(.input x f32[n]
.output y
.output rows
LOAD_TENSOR r0, x
LOAD_TENSOR r1, x
SIZE_ADD r5, n, 0
SIZE_ADD r6, n, 0
@next:
LOOP_BEGIN r2, 3, @done
ELEMENTWISE_MUL r3, r0, 2.0
MOVE_REG r0, r3
ELEMENTWISE_ADD r1, r1, r0
SIZE_ADD r5, r5, 1
SIZE_ADD r6, r6, r5
LOOP_END @next
@done:
FILL r7, r6, [1]
STORE_TENSOR y, r1
STORE_TENSOR rows, r7
)",
                               strict_options());
  const std::vector<Tensor> outputs = run_everywhere(session, {{"x", floats({2}, {1, 10})}});
  EXPECT_THAT(outputs[0].values<float>(), ElementsAre(15, 150));
  EXPECT_THAT(outputs[1].values<std::int64_t>(), ElementsAre(2 + 3 + 4 + 5));
}

TEST(Tiers, ThatCannotBeHadAreErrorsWithAReason) {
  SessionOptions options;
  options.plans.compiling = Compiling::kSealed;
  Session session = session_of(kMatrix, options);
  const std::vector<NamedTensor> inputs = {{"x", ramp({3, 8})}};
  for (const Tier tier : {Tier::kBucketed, Tier::kExact}) {
    const auto outputs = session.run(inputs, {tier, nullptr});
    ASSERT_FALSE(outputs);
    EXPECT_EQ(outputs.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(outputs.error().message, HasSubstr("sealed"));
    EXPECT_THAT(outputs.error().where, HasSubstr("test.pasm:"));
  }
  run_as(session, Tier::kAny, inputs);
}

TEST(Tiers, AnErrorOfTheModelStaysThatError) {
  Session session = session_of(R"(.input a f32[n]
.input b f32[m]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_ADD r2, r0, r1
STORE_TENSOR y, r2
)",
                               strict_options());
  const std::vector<NamedTensor> wrong = {{"a", ramp({2})}, {"b", ramp({3})}};
  const Error expected = session.run(wrong, {Tier::kInterpreter, nullptr}).error();
  EXPECT_EQ(expected.code, ErrorCode::kShapeMismatch);
  for (const Tier tier : {Tier::kAuto, Tier::kAny, Tier::kBucketed, Tier::kExact}) {
    const auto outputs = session.run(wrong, {tier, nullptr});
    ASSERT_FALSE(outputs) << tier_name(tier);
    EXPECT_EQ(outputs.error().to_string(), expected.to_string()) << tier_name(tier);
  }
  run_everywhere(session, {{"a", ramp({1})}, {"b", ramp({3})}});
}

TEST(Tiers, ExplainShowsBoxAndSteps) {
  Session session = session_of(kMatrix);
  const std::vector<NamedTensor> inputs = {{"x", ramp({20, 8})}};
  const auto any = session.explain(inputs);
  ASSERT_TRUE(any) << any.error().to_string();
  EXPECT_THAT(*any, HasSubstr("tier any"));
  EXPECT_THAT(*any, HasSubstr("MATMUL"));
  const auto bucketed = session.explain(inputs, {Tier::kBucketed, nullptr});
  ASSERT_TRUE(bucketed);
  EXPECT_THAT(*bucketed, HasSubstr("rows 17..32"));
  const auto interpreted = session.explain(inputs, {Tier::kInterpreter, nullptr});
  ASSERT_TRUE(interpreted);
  EXPECT_THAT(*interpreted, HasSubstr("interpreter"));
  EXPECT_THAT(*interpreted, Not(HasSubstr("box")));
}

TEST(Options, OutsideTheirRangeAreRefused) {
  const auto refused = [](auto set) {
    SessionOptions options;
    set(options.plans);
    auto model = Model::from_assembly(kMatrix, "test.pasm");
    auto session = Session::create(*model, options);
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(session.error().message, HasSubstr("range"));
  };
  refused([](PlanOptions& options) { options.min_compile_iters = 0; });
  refused([](PlanOptions& options) { options.half_life_runs = 0; });
  refused([](PlanOptions& options) { options.bucket_width = 0; });
  refused([](PlanOptions& options) { options.bucket_width = std::int64_t{1} << 40; });  // B023
  refused([](PlanOptions& options) { options.max_counted_boxes = 1; });
  refused([](PlanOptions& options) { options.max_plans = 0; });
  refused([](PlanOptions& options) { options.max_plan_bytes = 0; });
  refused([](PlanOptions& options) { options.breaker_new_boxes = 65'537; });
  refused([](PlanOptions& options) { options.breaker_window = std::chrono::milliseconds(0); });
  refused([](PlanOptions& options) { options.breaker_calm_period = std::chrono::hours(25); });
  refused([](PlanOptions& options) { options.warm_up_boxes = 65'537; });
  refused([](PlanOptions& options) { options.max_profile_signatures = 0; });
}

}  // namespace
}  // namespace pliant
