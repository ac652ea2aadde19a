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

}  // namespace
}  // namespace pliant
