// What a session says about inputs that do not fit, and that it works afterwards.

#include <gmock/gmock.h>

#include <cstring>

#include "api/session_fixture.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::float_values;
using testing::floats;
using ::testing::HasSubstr;
using testing::integers;
using testing::run;
using testing::run_error;
using testing::session_of;

constexpr const char* kAddition = R"(
.input a f32[rows, 2]
.input b f32[rows, 2]
.output sum
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_ADD r2, r0, r1
STORE_TENSOR sum, r2
)";

class InputsTest : public ::testing::Test {
 protected:
  Tensor a_ = floats({1, 2}, {1, 2});
  Tensor b_ = floats({1, 2}, {10, 20});
  Session session_ = session_of(kAddition);

  void expect_usable() {
    const auto outputs = run(session_, {{"b", b_}, {"a", a_}});
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_THAT(float_values(outputs[0]), ElementsAre(11, 22));
  }
};

TEST_F(InputsTest, AreMatchedByNameInAnyOrder) {
  expect_usable();
}

TEST_F(InputsTest, UnknownNamesListWhatExists) {
  const Error error = run_error(session_, {{"a", a_}, {"b", b_}, {"c", a_}});
  EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(error.message, AllOf(HasSubstr("unknown input 'c'"), HasSubstr("'a' f32[rows, 2]"),
                                   HasSubstr("'b' f32[rows, 2]")));
  expect_usable();
}

TEST_F(InputsTest, MissingInputsAreNamed) {
  const Error error = run_error(session_, {{"a", a_}});
  EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(error.message, AllOf(HasSubstr("'b' is missing"), HasSubstr("'b' f32[rows, 2]")));
  expect_usable();
}

TEST_F(InputsTest, DoubledInputsAreRefused) {
  const Error error = run_error(session_, {{"a", a_}, {"a", a_}, {"b", b_}});
  EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(error.message, HasSubstr("'a' is given twice"));
  expect_usable();
}

TEST_F(InputsTest, AWrongElementTypeNamesBoth) {
  const Error error = run_error(session_, {{"a", integers({1, 2}, {1, 2})}, {"b", b_}});
  EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(error.message,
              AllOf(HasSubstr("'a'"), HasSubstr("declared f32"), HasSubstr("given i64")));
  expect_usable();
}

TEST_F(InputsTest, AWrongRankNamesBothShapes) {
  const Error error = run_error(session_, {{"a", floats({2}, {1, 2})}, {"b", b_}});
  EXPECT_EQ(error.code, ErrorCode::kShapeMismatch);
  EXPECT_THAT(error.message,
              AllOf(HasSubstr("'a'"), HasSubstr("f32[rows, 2]"), HasSubstr("f32[2]")));
  expect_usable();
}

TEST_F(InputsTest, AWrongExtentNamesTheAxis) {
  const Error error = run_error(session_, {{"a", floats({1, 3}, {1, 2, 3})}, {"b", b_}});
  EXPECT_EQ(error.code, ErrorCode::kShapeMismatch);
  EXPECT_THAT(error.message, AllOf(HasSubstr("axis 1 of input 'a'"), HasSubstr("declared 2"),
                                   HasSubstr("given 3")));
  expect_usable();
}

TEST_F(InputsTest, ASymbolHasOneValue) {
  const Error error = run_error(session_, {{"a", floats({2, 2}, {1, 2, 3, 4})}, {"b", b_}});
  EXPECT_EQ(error.code, ErrorCode::kShapeMismatch);
  EXPECT_THAT(error.message,
              AllOf(HasSubstr("symbol 'rows' has two values"), HasSubstr("2 (axis 0 of input 'a')"),
                    HasSubstr("1 (axis 0 of input 'b')")));
  expect_usable();
}

TEST_F(InputsTest, EmptyTensorsMayHaveNoData) {
  const std::int64_t shape[] = {0, 2};
  auto empty = Tensor::borrow(nullptr, DType::kF32, shape);
  ASSERT_TRUE(empty);
  const auto outputs = run(session_, {{"a", *empty}, {"b", *empty}});
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_THAT(outputs[0].shape(), ElementsAre(0, 2));
  EXPECT_EQ(outputs[0].element_count(), 0);
  expect_usable();
}

TEST_F(InputsTest, MemoryNeedNotBeAligned) {
  std::vector<char> memory(2 * sizeof(float) + 1);
  const float values[] = {1, 2};
  std::memcpy(memory.data() + 1, values, sizeof values);
  const std::int64_t shape[] = {1, 2};
  auto unaligned = Tensor::borrow(memory.data() + 1, DType::kF32, shape);
  ASSERT_TRUE(unaligned);
  const auto outputs = run(session_, {{"a", *unaligned}, {"b", b_}});
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_THAT(float_values(outputs[0]), ElementsAre(11, 22));
}

TEST(DefaultInputs, AreUsedWhenLeftOutAndCanBeOverridden) {
  Session session = session_of(R"(
.input x f32[n]
.const two f32[] = {2.0}
.input factor f32[] = two
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, factor
ELEMENTWISE_MUL r2, r0, r1
STORE_TENSOR y, r2
)");
  EXPECT_TRUE(session.model().inputs()[1].has_default);
  EXPECT_THAT(float_values(run(session, {{"x", floats({2}, {1, 2})}})[0]), ElementsAre(2, 4));
  EXPECT_THAT(
      float_values(run(session, {{"x", floats({2}, {1, 2})}, {"factor", floats({}, {3})}})[0]),
      ElementsAre(3, 6));
  EXPECT_THAT(float_values(run(session, {{"x", floats({2}, {1, 2})}})[0]), ElementsAre(2, 4));
}

TEST(InputsOfUnknownRank, TakeAnyShape) {
  Session session = session_of(R"(
.input x f32[...]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_NEG r1, r0
STORE_TENSOR y, r1
)");
  EXPECT_THAT(float_values(run(session, {{"x", floats({}, {1})}})[0]), ElementsAre(-1));
  EXPECT_THAT(run(session, {{"x", floats({1, 2}, {1, 2})}})[0].shape(), ElementsAre(1, 2));
}

}  // namespace
}  // namespace pliant
