#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/partial_knowledge.h"

// Shape rules of elementwise rows, reductions and normalisations where not all is known.

namespace pliant::semantics {
namespace {

using ::testing::HasSubstr;
using testing::PartialKnowledge;
using testing::RuleQuestion;

TEST(ElementwiseRule, BroadcastsSymbols) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const Extent m = knowledge.symbol("m");
  const auto ask = [&](const ExtentShape& a, const ExtentShape& b) {
    return RuleQuestion(isa::Opcode::kElementwiseAdd)
        .set("lhs", knowledge.add(DType::kF32, a))
        .set("rhs", knowledge.add(DType::kF32, b))
        .ask(knowledge);
  };
  EXPECT_EQ(ask({n, 4}, {4}), "[n, 4]");
  EXPECT_EQ(ask({n, 1}, {1, m}), "[n, m]");
  EXPECT_EQ(ask({n}, {n}), "[n]");
  EXPECT_EQ(ask({n}, {0}), "[0]");
  EXPECT_EQ(ask({}, {}), "[]");
  EXPECT_THAT(ask({n, 4}, {3}), HasSubstr("do not broadcast"));
}

TEST(ElementwiseRule, UnknownRankStaysUnknown) {
  PartialKnowledge knowledge;
  EXPECT_EQ(RuleQuestion(isa::Opcode::kElementwiseNegate)
                .set("x", knowledge.add_of_unknown_rank(DType::kF32))
                .ask(knowledge),
            "?");
  EXPECT_EQ(RuleQuestion(isa::Opcode::kElementwiseClip)
                .set("x", knowledge.add_of_unknown_rank(DType::kF32))
                .set("low", isa::real(0))
                .ask(knowledge),
            "?");
}

TEST(ElementwiseRule, ClipKeepsTheShapeOfX) {
  PartialKnowledge knowledge;
  const isa::Operand x = knowledge.add(DType::kF32, {});
  const auto ask = [&](const ExtentShape& low) {
    return RuleQuestion(isa::Opcode::kElementwiseClip)
        .set("x", x)
        .set("low", knowledge.add(DType::kF32, low))
        .ask(knowledge);
  };
  EXPECT_EQ(ask({1, 1}), "[]");
  EXPECT_THAT(ask({2}), HasSubstr("one element"));
}

TEST(ElementwiseRule, TypesMustAgree) {
  PartialKnowledge knowledge;
  EXPECT_THAT(RuleQuestion(isa::Opcode::kElementwiseAdd)
                  .set("lhs", knowledge.add(DType::kF32, {}))
                  .set("rhs", knowledge.add(DType::kI64, {}))
                  .ask(knowledge),
              HasSubstr("rhs has element type i64, expected f32"));
}

TEST(ReduceRule, AxesKnownAndUnknown) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const isa::Operand x = knowledge.add(DType::kF32, {n, 3, 4});
  const auto question = [&] { return RuleQuestion(isa::Opcode::kReduceSum).set("x", x); };
  EXPECT_EQ(question().ask(knowledge), "[]");
  EXPECT_EQ(question().set("keepdims", isa::flag(true)).ask(knowledge), "[1, 1, 1]");
  EXPECT_EQ(question().set("axis", isa::numbers(std::vector{-1})).ask(knowledge), "[n, 3]");
  EXPECT_EQ(question().set("empty", isa::choice(isa::EmptyAxes::kNone)).ask(knowledge),
            "[n, 3, 4]");
  const isa::Operand two_axes = knowledge.add(DType::kI64, {2});
  EXPECT_EQ(question().set("axis", two_axes).ask(knowledge), "[?]");
  EXPECT_EQ(question().set("axis", two_axes).set("keepdims", isa::flag(true)).ask(knowledge),
            "[?, ?, ?]");
  EXPECT_EQ(question().set("axis", knowledge.add(DType::kI64, {n})).ask(knowledge), "?");
  EXPECT_THAT(question().set("axis", isa::numbers(std::vector{1, -2})).ask(knowledge),
              HasSubstr("axis 1 is given twice"));
  EXPECT_THAT(question().set("axis", isa::numbers(std::vector{3})).ask(knowledge),
              HasSubstr("axis 3 is outside"));
}

TEST(ReduceRule, ArgumentsNeedElements) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const auto ask = [&](const ExtentShape& x) {
    return RuleQuestion(isa::Opcode::kArgMax)
        .set("x", knowledge.add(DType::kF32, x))
        .set("axis", isa::number(1))
        .ask(knowledge);
  };
  EXPECT_EQ(ask({2, n}), "[2]");
  EXPECT_THAT(ask({2, 0}), HasSubstr("no elements"));
}

TEST(NormaliseRule, ParametersFit) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const isa::Operand x = knowledge.add(DType::kF32, {n, 3, 4});
  const auto ask = [&](const ExtentShape& scale, int axis) {
    return RuleQuestion(isa::Opcode::kLayerNorm)
        .set("x", x)
        .set("scale", knowledge.add(DType::kF32, scale))
        .set("axis", isa::number(axis))
        .ask(knowledge);
  };
  EXPECT_EQ(ask({4}, -1), "[n, 3, 4]");
  EXPECT_EQ(ask({3, 1}, 1), "[n, 3, 4]");
  EXPECT_EQ(ask({1, 1, 4}, -1), "[n, 3, 4]");
  EXPECT_THAT(ask({3, 4}, -1), HasSubstr("does not fit"));
  EXPECT_THAT(ask({5}, -1), HasSubstr("does not fit"));
}

TEST(NormaliseRule, ChannelsMustAgree) {
  PartialKnowledge knowledge;
  const Extent channels = knowledge.symbol("c");
  const auto vector = [&] { return knowledge.add(DType::kF32, {8}); };
  EXPECT_EQ(RuleQuestion(isa::Opcode::kGroupNorm)
                .set("x", knowledge.add(DType::kF32, {2, channels, 5}))
                .set("scale", vector())
                .set("bias", vector())
                .ask(knowledge),
            "[2, c, 5]");
  EXPECT_THAT(knowledge.notes, ::testing::Contains("8 = c"));
  EXPECT_THAT(RuleQuestion(isa::Opcode::kGroupNorm)
                  .set("x", knowledge.add(DType::kF32, {2, 8, 5}))
                  .set("scale", vector())
                  .set("bias", vector())
                  .set("groups", isa::number(3))
                  .ask(knowledge),
              HasSubstr("8 channels cannot be divided into 3 groups"));
}

}  // namespace
}  // namespace pliant::semantics
