#include <gmock/gmock.h>

#include "api/session_fixture.h"

namespace pliant {
namespace {

using testing::floats;
using ::testing::HasSubstr;
using testing::session_of;

constexpr const char* kProducts = R"(
.input x f32[n, 8]
.const w f32[8, 100] = seeded(1)
.const v f32[100, 4] = seeded(2)
.output y
LOAD_TENSOR r0, x
MATMUL r1, r0, w
SOFTMAX r2, r1, axis=1
MATMUL r3, r2, v
STORE_TENSOR y, r3
)";

Result<MemoryEstimate> estimate(const Session& session, std::vector<NamedSize> sizes) {
  return session.estimate(sizes);
}

TEST(Estimate, IsWhatARunTakes) {
  for (const std::int64_t n : {0, 1, 17, 500}) {
    Session session = session_of(kProducts);
    const auto bytes = estimate(session, {{"n", n}});
    ASSERT_TRUE(bytes) << bytes.error().to_string();
    EXPECT_EQ(bytes->input_bytes, static_cast<std::size_t>(n) * 8 * 4);
    EXPECT_EQ(bytes->output_bytes, static_cast<std::size_t>(n) * 4 * 4);
    EXPECT_EQ(session.statistics().peak_bytes, 0u);  // nothing was allocated for it
    testing::run(session,
                 {{"x", floats({n, 8}, std::vector<float>(static_cast<std::size_t>(n) * 8))}});
    EXPECT_EQ(session.statistics().plans.arena_bytes, bytes->arena_bytes);
  }
}

TEST(Estimate, RefusesSizesThatAreNoSizesOfTheModel) {
  const Session session = session_of(kProducts);
  const auto code = [&](std::vector<NamedSize> sizes) {
    return estimate(session, std::move(sizes)).error().code;
  };
  EXPECT_EQ(code({}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({{"n", -1}}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({{"n", 1}, {"m", 1}}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({{"n", 1}, {"n", 1}}), ErrorCode::kInvalidArgument);
  for (const int power : {45, 50, 58, 60, 61, 62}) {
    EXPECT_EQ(code({{"n", std::int64_t{1} << power}}), ErrorCode::kResourceExhausted) << power;
  }
}

TEST(Estimate, SaysWhereSizesFollowFromARun) {
  const Session session = session_of(R"(
.input x f32[n]
.output y
LOAD_TENSOR r0, x
NON_ZERO r1, r0
STORE_TENSOR y, r1
)");
  const auto bytes = estimate(session, {{"n", 3}});
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(bytes.error().where, HasSubstr("test.pasm:5"));
}

constexpr const char* kDecided = R"(
.input x f32[n, 6]
.input target i64[2]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, target
ELEMENTWISE_NEG r2, r0
RESHAPE r3, r2, r1
SOFTMAX r4, r3, axis=1
ELEMENTWISE_NEG r5, r4
STORE_TENSOR y, r5
)";

TEST(Estimate, TakesTheValuesOfInputsThatDecide) {
  Session session = session_of(kDecided);
  const auto bytes = estimate(session, {{"n", 4}, {"target[1]", 3}, {"target[0]", -1}});
  ASSERT_TRUE(bytes) << bytes.error().to_string();
  EXPECT_EQ(bytes->input_bytes, 4u * 6 * 4 + 2 * 8);
  EXPECT_EQ(bytes->output_bytes, 4u * 6 * 4);
  EXPECT_EQ(session.statistics().plans.total.plans, 0u);
  const std::vector<NamedTensor> inputs = {{"x", floats({4, 6}, std::vector<float>(24))},
                                           {"target", testing::integers({2}, {-1, 3})}};
  ASSERT_TRUE(session.run(inputs, {Tier::kAny, nullptr}));
  EXPECT_EQ(session.statistics().plans.arena_bytes, bytes->arena_bytes);
  // The same when there are plans, also for values of another kind.
  const auto again = estimate(session, {{"n", 4}, {"target[0]", 8}, {"target[1]", 3}});
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(again->output_bytes, bytes->output_bytes);
}

TEST(Estimate, NamesTheValuesThatAreWanted) {
  const Session session = session_of(kDecided);
  for (const std::vector<NamedSize>& sizes :
       {std::vector<NamedSize>{{"n", 4}}, {{"n", 4}, {"target[0]", 8}}}) {
    const auto bytes = estimate(session, sizes);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(bytes.error().message, HasSubstr("'target[1]'"));
    EXPECT_EQ(bytes.error().message.find("'target[0]'") == std::string::npos, sizes.size() == 2);
    EXPECT_EQ(bytes.error().where, "test.pasm:8:1");
  }
  const auto code = [&](std::vector<NamedSize> sizes) {
    return estimate(session, std::move(sizes)).error().code;
  };
  EXPECT_EQ(code({{"target[0]", 8}, {"target[1]", 3}}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({{"n", 4}, {"target[0]", 8}, {"target[1]", 3}, {"m", 1}}),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({{"n", -4}, {"target[0]", 8}, {"target[1]", 3}}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({{"n", 4}, {"target[0]", 5}, {"target[1]", 5}}), ErrorCode::kUnsupported);
}

TEST(Estimate, LeavesNoPlanBehind) {
  SessionOptions options;
  options.plans.floor = Floor::kInterpreter;
  options.plans.compiling = Compiling::kSealed;
  Session session = session_of(kProducts, options);
  const auto bytes = estimate(session, {{"n", 17}});
  ASSERT_TRUE(bytes) << bytes.error().to_string();
  const std::vector<NamedTensor> inputs = {
      {"x", floats({17, 8}, std::vector<float>(std::size_t{17} * 8))}};
  const auto outputs = session.run(inputs, {Tier::kAny, nullptr});
  ASSERT_FALSE(outputs);
  EXPECT_THAT(outputs.error().message, HasSubstr("sealed"));
}

}  // namespace
}  // namespace pliant
