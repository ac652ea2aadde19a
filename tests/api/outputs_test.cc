// Outputs belong to the caller: each has memory of its own, whatever the program did.

#include <gmock/gmock.h>

#include <optional>

#include "api/session_fixture.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using testing::float_values;
using testing::floats;
using testing::run;
using testing::session_of;

TEST(Outputs, AnInputPassedThroughIsCopied) {
  Session session = session_of(R"(
.input x f32[n]
.output same
.output more
LOAD_TENSOR r0, x
STORE_TENSOR same, r0
ELEMENTWISE_ADD r1, r0, 10.0
STORE_TENSOR more, r1
)");
  for (int repeat = 0; repeat < 7; ++repeat) {
    Tensor x = floats({2}, {1, 2});
    const auto outputs = run(session, {{"x", x}});
    static_cast<float*>(x.mutable_data())[0] = 99;
    x = {};
    EXPECT_THAT(float_values(outputs[0]), ElementsAre(1, 2));
    EXPECT_THAT(float_values(outputs[1]), ElementsAre(11, 12));
  }
}

TEST(Outputs, AViewOfAnInputIsCopied) {
  Session session = session_of(R"(
.input x f32[2, n]
.output y
.output z
LOAD_TENSOR r0, x
TRANSPOSE r1, r0
STORE_TENSOR y, r1
RESHAPE r2, r0, [-1]
STORE_TENSOR z, r2
)");
  Tensor x = floats({2, 2}, {1, 2, 3, 4});
  const auto outputs = run(session, {{"x", x}});
  static_cast<float*>(x.mutable_data())[1] = 99;
  EXPECT_THAT(float_values(outputs[0]), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(float_values(outputs[1]), ElementsAre(1, 2, 3, 4));
}

TEST(Outputs, AConstantIsCopied) {
  Session session = session_of(R"(
.input x f32[n]
.const c f32[2] = {5.0, 6.0}
.output constant
.output same
LOAD_TENSOR r0, x
STORE_TENSOR constant, c
STORE_TENSOR same, r0
)");
  for (int repeat = 0; repeat < 3; ++repeat) {
    auto outputs = run(session, {{"x", floats({1}, {7})}});
    EXPECT_THAT(float_values(outputs[0]), ElementsAre(5, 6));
    EXPECT_THAT(float_values(outputs[1]), ElementsAre(7));
    static_cast<float*>(outputs[0].mutable_data())[0] = 99;  // must not reach the model
  }
}

TEST(Outputs, OneValueReturnedThreeTimesIsThreeTensors) {
  Session session = session_of(R"(
.input x f32[n]
.output a
.output b
.output c
LOAD_TENSOR r0, x
ELEMENTWISE_NEG r1, r0
STORE_TENSOR a, r1
STORE_TENSOR b, r1
RESHAPE r2, r1, [-1, 1]
STORE_TENSOR c, r2
)");
  auto outputs = run(session, {{"x", floats({2}, {1, 2})}});
  static_cast<float*>(outputs[0].mutable_data())[0] = 99;
  EXPECT_THAT(float_values(outputs[1]), ElementsAre(-1, -2));
  EXPECT_THAT(float_values(outputs[2]), ElementsAre(-1, -2));
  EXPECT_THAT(outputs[2].shape(), ElementsAre(2, 1));
}

TEST(Outputs, OutliveTheSessionAndLaterRuns) {
  std::optional<Session> session = session_of(R"(
.input x f32[n]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_NEG r1, r0
STORE_TENSOR y, r1
)");
  const auto first = run(*session, {{"x", floats({2}, {1, 2})}});
  const auto second = run(*session, {{"x", floats({2}, {3, 4})}});
  session.reset();
  EXPECT_THAT(float_values(first[0]), ElementsAre(-1, -2));
  EXPECT_THAT(float_values(second[0]), ElementsAre(-3, -4));
}

TEST(Outputs, ASizeCanBeAnOutput) {
  Session session = session_of(R"(
.input x f32[n, 3]
.output count
LOAD_TENSOR r0, x
QUERY_SHAPE r1, r0.dim(0)
STORE_TENSOR count, r1
)");
  const auto outputs = run(session, {{"x", floats({2, 3}, {1, 2, 3, 4, 5, 6})}});
  EXPECT_EQ(outputs[0].dtype(), DType::kI64);
  EXPECT_TRUE(outputs[0].shape().empty());
  EXPECT_EQ(outputs[0].values<std::int64_t>()[0], 2);
}

TEST(Outputs, EmptyTensorsKeepTheirShape) {
  Session session = session_of(R"(
.input x f32[n, 3]
.output same
.output turned
LOAD_TENSOR r0, x
STORE_TENSOR same, r0
TRANSPOSE r1, r0
STORE_TENSOR turned, r1
)");
  const auto outputs = run(session, {{"x", floats({0, 3}, {})}});
  EXPECT_THAT(outputs[0].shape(), ElementsAre(0, 3));
  EXPECT_THAT(outputs[1].shape(), ElementsAre(3, 0));
}

}  // namespace
}  // namespace pliant
