#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "plans/plans_fixture.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace testing;

constexpr const char* kLookup = R"(
.input ids i64[batch, seq]
.const table f32[50, 4] = seeded(1)
.output y
LOAD_TENSOR r0, ids
GATHER r1, table, r0, axis=0
REDUCE_SUM r2, r1, axis=1
STORE_TENSOR y, r2
)";

SessionOptions two_tiers() {
  SessionOptions options = strict_options();
  options.plans.floor = Floor::kInterpreter;
  return options;
}

Tensor ids(std::int64_t batch, std::int64_t seq) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(batch * seq));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::int64_t>(i * 7 % 50);
  }
  return integers({batch, seq}, values);
}

std::string recorded_profile() {
  SessionOptions options = two_tiers();
  options.plans.record = true;
  Session session = session_of(kLookup, options);
  for (int i = 0; i < 20; ++i) {
    run(session, {{"ids", ids(2, 100 + i % 4)}});
  }
  for (int i = 0; i < 5; ++i) {
    run(session, {{"ids", ids(2, 30)}});
  }
  run(session, {{"ids", ids(2, 500)}});
  return session.profile();
}

TEST(Profile, HoldsSignaturesWeightsAndRanges) {
  const std::string profile = recorded_profile();
  EXPECT_THAT(profile, HasSubstr("\"values\": [2, 100]"));
  EXPECT_THAT(profile, HasSubstr("\"weight\": 5"));
  EXPECT_THAT(profile, HasSubstr("\"input\": \"ids\", \"low\": 0, \"high\": 49"));
  EXPECT_EQ(session_of(kLookup).profile().find("values"), std::string::npos);
}

TEST(WarmUp, CompilesTheHeaviestBoxes) {
  SessionOptions options = two_tiers();
  options.plans.warm_up_boxes = 2;
  options.plans.compiling = Compiling::kSealed;
  Events events;
  options.log = events.listener();
  Session session = session_of(kLookup, options);
  const Status status = session.warm_up(recorded_profile());
  ASSERT_TRUE(status) << status.error().to_string();
  const PlanStatistics plans = session.statistics().plans;
  EXPECT_EQ(plans.total.plans, 2u);
  EXPECT_EQ(plans.total.unchecked, 0u);
  run(session, {{"ids", ids(2, 101)}});
  run(session, {{"ids", ids(2, 30)}});
  EXPECT_EQ(session.statistics().plans.total.bucketed_runs, 2u);
  run(session, {{"ids", ids(2, 500)}});
  EXPECT_EQ(session.statistics().plans.total.interpreted_runs, 1u);
  ASSERT_THAT(events.of("warm-up"), SizeIs(1));
  EXPECT_EQ(field(events.of("warm-up")[0], "plans"), "2");
}

TEST(WarmUp, HappensBeforeTheSessionIsReady) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("pliant_profile_" + std::to_string(getpid())))
          .string();
  std::ofstream(path) << recorded_profile();
  SessionOptions options = two_tiers();
  options.plans.warm_up_profile = path;
  Session session = session_of(kLookup, options);
  std::filesystem::remove(path);
  EXPECT_EQ(session.statistics().plans.total.plans, 3u);

  options.plans.warm_up_profile = path + ".missing";
  auto model = Model::from_assembly(kLookup, "test.pasm");
  auto refused = Session::create(*model, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kIo);
}

TEST(WarmUp, RefusesWhatIsNoProfileOrOfAnotherModel) {
  Session session = session_of(kLookup);
  EXPECT_EQ(session.warm_up("{").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(session
                .warm_up(R"({"format": "pliant-profile", "version": 1, "program": "",
    "segments": [{"name": "0", "entries": [{"name": "width", "kind": "extent"}],
                  "signatures": [{"values": [3], "weight": 1}]}]})")
                .error()
                .code,
            ErrorCode::kInvalidArgument);
  for (const char* name : {"99999", "0/1", "0/99999999999999999999", "", "0/1,", "x"}) {
    const Status status = session.warm_up(
        std::string(R"({"format": "pliant-profile", "version": 1, "program": "", "segments": [
          {"name": ")") +
        name + R"(", "entries": [{"name": "batch", "kind": "extent"},
                                 {"name": "seq", "kind": "extent"}],
          "signatures": [{"values": [3, 4], "weight": 1}]}]})");
    ASSERT_FALSE(status) << name;
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument) << name;
  }
}

TEST(WarmUp, OfSegmentsBehindOthersKnowsTheirRanks) {
  const char* const program = R"(
.input x f32[n]
.output y
LOAD_TENSOR r0, x
NON_ZERO r2, r0
CAST r3, r2, to=f32
ELEMENTWISE_MUL r4, r3, 2.0
STORE_TENSOR y, r4
)";
  SessionOptions options = strict_options();
  options.plans.record = true;
  options.plans.compiling = Compiling::kSync;
  Session recording = session_of(program, options);
  for (int i = 0; i < 3; ++i) {
    run(recording, {{"x", floats({4}, {0, 1, 0, 2})}});
  }
  options.plans.compiling = Compiling::kSealed;
  Session session = session_of(program, options);
  ASSERT_TRUE(session.warm_up(recording.profile()));
  std::vector<SegmentRun> report;
  run_as(session, Tier::kAuto, {{"x", floats({4}, {0, 1, 0, 2})}}, &report);
  ASSERT_FALSE(report.empty());
  EXPECT_EQ(report.back().tier, Tier::kAny);
}

TEST(WarmUpExact, TakesSizesByName) {
  Session session = session_of(kLookup, two_tiers());
  const std::vector<NamedSize> sizes = {{"seq", 9}, {"batch", 2}};
  ASSERT_TRUE(session.warm_up_exact(sizes));
  run(session, {{"ids", ids(2, 9)}});
  run(session, {{"ids", ids(2, 10)}});
  EXPECT_EQ(session.statistics().plans.total.exact_runs, 1u);
  EXPECT_EQ(session.statistics().plans.segments[0].plans[0].box, "batch 2, seq 9");

  const auto code = [&](std::vector<NamedSize> wrong) {
    return session.warm_up_exact(wrong).error().code;
  };
  EXPECT_EQ(code({{"seq", 9}}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({{"seq", 9}, {"batch", -1}}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({{"seq", 9}, {"batch", 1}, {"width", 1}}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({{"seq", 9}, {"batch", 1}, {"seq", 9}}), ErrorCode::kInvalidArgument);
}

TEST(WarmUp, B023AbsurdSizesAreRefusedAndLargeOnesHarmNobody) {
  Session session = session_of(kLookup, two_tiers());
  const auto profile = [](const std::string& seq) {
    return std::string(R"({"format": "pliant-profile", "version": 1, "program": "", "segments": [
          {"name": "0", "entries": [{"name": "batch", "kind": "extent"},
                                    {"name": "seq", "kind": "extent"}],
          "signatures": [{"values": [1, )") +
           seq + R"(], "weight": 1}]}]})";
  };
  EXPECT_FALSE(session.warm_up(profile("1099511627776")));  // 2^40
  EXPECT_FALSE(session.warm_up(profile("-1")));
  ASSERT_TRUE(session.warm_up(profile("1099511627775")));
  EXPECT_EQ(session.statistics().plans.total.plans, 1u);
  run(session, {{"ids", ids(1, 3)}});
}

}  // namespace
}  // namespace pliant
