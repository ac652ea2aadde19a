#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/partial_knowledge.h"

// Shape rules of size, gather, movement, creation and selection rows where not all is known.

namespace pliant::semantics {
namespace {

using ::testing::HasSubstr;
using testing::PartialKnowledge;
using testing::RuleQuestion;

isa::Operand sizes(const std::vector<std::int64_t>& values) {
  return isa::numbers(values);
}

TEST(SizeRules, ExtentsElementsAndArithmetic) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const isa::Operand x = knowledge.add(DType::kF32, {n, 3});
  EXPECT_EQ(RuleQuestion(isa::Opcode::kQueryShape)
                .set("x", isa::axis_of(x.number, 0))
                .ask_size(knowledge),
            "n");
  EXPECT_EQ(RuleQuestion(isa::Opcode::kQueryShape)
                .set("x", isa::axis_of(x.number, -1))
                .ask_size(knowledge),
            "3");
  EXPECT_THAT(RuleQuestion(isa::Opcode::kQueryShape)
                  .set("x", isa::axis_of(x.number, 2))
                  .ask_size(knowledge),
              HasSubstr("axis 2"));
  const isa::Operand list = knowledge.add_values({n, 7});
  EXPECT_EQ(RuleQuestion(isa::Opcode::kReadSize)
                .set("x", isa::element_of(list.number, 1))
                .ask_size(knowledge),
            "7");
  EXPECT_THAT(RuleQuestion(isa::Opcode::kReadSize)
                  .set("x", isa::element_of(list.number, 2))
                  .ask_size(knowledge),
              HasSubstr("element 2"));
  const isa::Operand size = knowledge.add_size(n);
  EXPECT_EQ(RuleQuestion(isa::Opcode::kSizeAdd)
                .set("lhs", size)
                .set("rhs", isa::number(1))
                .ask_size(knowledge),
            "(n + 1)");
  EXPECT_EQ(RuleQuestion(isa::Opcode::kSizeDivide)
                .set("lhs", isa::number(-7))
                .set("rhs", isa::number(2))
                .ask_size(knowledge),
            "-4");
  EXPECT_EQ(RuleQuestion(isa::Opcode::kSizeModulo)
                .set("lhs", isa::number(-7))
                .set("rhs", isa::number(2))
                .ask_size(knowledge),
            "1");
  EXPECT_THAT(RuleQuestion(isa::Opcode::kSizeDivide)
                  .set("lhs", size)
                  .set("rhs", isa::number(0))
                  .ask_size(knowledge),
              HasSubstr("division by zero"));
  EXPECT_THAT(RuleQuestion(isa::Opcode::kSizeMultiply)
                  .set("lhs", isa::number(INT64_MAX))
                  .set("rhs", isa::number(2))
                  .ask_size(knowledge),
              HasSubstr("64 bits"));
}

TEST(DataRules, InputsAndMoves) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const isa::Operand x = knowledge.add(DType::kU8, {n, 3});
  EXPECT_EQ(RuleQuestion(isa::Opcode::kMoveReg).set("x", x).ask(knowledge), "[n, 3]");
  EXPECT_EQ(RuleQuestion(isa::Opcode::kMoveReg).set("x", knowledge.add_size(n)).ask_size(knowledge),
            "n");
  EXPECT_EQ(RuleQuestion(isa::Opcode::kMoveReg).set("x", isa::number(7)).ask_size(knowledge), "7");
}

TEST(ShapeOfRule, ClampsItsRange) {
  PartialKnowledge knowledge;
  const isa::Operand x = knowledge.add(DType::kF32, {2, 3, 4});
  const auto ask = [&](std::int64_t start, isa::Operand end) {
    return RuleQuestion(isa::Opcode::kShapeOf)
        .set("x", x)
        .set("start", isa::number(start))
        .set("end", std::move(end))
        .ask(knowledge);
  };
  EXPECT_EQ(ask(0, isa::absent()), "[3]");
  EXPECT_EQ(ask(-1, isa::absent()), "[1]");
  EXPECT_EQ(ask(1, isa::number(-1)), "[1]");
  EXPECT_EQ(ask(-9, isa::number(9)), "[3]");
  EXPECT_EQ(ask(2, isa::number(1)), "[0]");
}

TEST(GatherRules, RanksAndTuples) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const isa::Operand x = knowledge.add(DType::kF32, {5, n, 7});
  const isa::Operand pair = knowledge.add(DType::kI64, {n, 2});
  EXPECT_EQ(RuleQuestion(isa::Opcode::kGather)
                .set("x", x)
                .set("indices", pair)
                .set("axis", isa::number(1))
                .ask(knowledge),
            "[5, n, 2, 7]");
  EXPECT_EQ(RuleQuestion(isa::Opcode::kGatherNd).set("x", x).set("indices", pair).ask(knowledge),
            "[n, 7]");
  EXPECT_EQ(RuleQuestion(isa::Opcode::kGatherNd)
                .set("x", x)
                .set("indices", knowledge.add(DType::kI64, {2, n}))
                .ask(knowledge),
            "?");
  EXPECT_THAT(RuleQuestion(isa::Opcode::kGatherNd)
                  .set("x", x)
                  .set("indices", knowledge.add(DType::kI64, {2, 4}))
                  .ask(knowledge),
              HasSubstr("4 components"));
  EXPECT_THAT(RuleQuestion(isa::Opcode::kGather)
                  .set("x", knowledge.add(DType::kF32, {}))
                  .set("indices", pair)
                  .ask(knowledge),
              HasSubstr("axis 0"));
}

TEST(ConcatRule, SumsAndAgrees) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const auto ask = [&](const std::vector<isa::Operand>& parts, std::int64_t axis) {
    return RuleQuestion(isa::Opcode::kConcat)
        .set("parts", isa::list(parts))
        .set("axis", isa::number(axis))
        .ask(knowledge);
  };
  const isa::Operand a = knowledge.add(DType::kF32, {n, 3});
  const isa::Operand b = knowledge.add(DType::kF32, {4, 2});
  EXPECT_EQ(ask({a, b}, 1), "[4, 5]");
  EXPECT_EQ(ask({a, a}, -2), "[(n + n), 3]");
  EXPECT_THAT(ask({a, b}, 0), HasSubstr("3"));
  EXPECT_EQ(ask({a, knowledge.add_of_unknown_rank(DType::kF32)}, 0), "[?, 3]");
  EXPECT_THAT(ask({a, knowledge.add(DType::kF32, {2})}, 0), HasSubstr("rank"));
  EXPECT_THAT(ask({a, a}, 9), HasSubstr("axis 9"));
  EXPECT_THAT(ask(std::vector<isa::Operand>(65, a), 0), HasSubstr("at most 64"));
}

TEST(PadRule, CropsFirstAndRefusesWhatCannotBe) {
  PartialKnowledge knowledge;
  const auto ask = [&](const ExtentShape& x, const std::vector<std::int64_t>& pads,
                       isa::PadMode mode) {
    return RuleQuestion(isa::Opcode::kPad)
        .set("x", knowledge.add(DType::kF32, x))
        .set("pads", sizes(pads))
        .set("mode", isa::choice(mode))
        .ask(knowledge);
  };
  EXPECT_EQ(ask({6}, {-2, -1}, isa::PadMode::kConstant), "[3]");
  EXPECT_EQ(ask({6}, {-3, 2}, isa::PadMode::kConstant), "[5]");
  EXPECT_THAT(ask({3}, {-2, -2}, isa::PadMode::kConstant), HasSubstr("negative size -1"));
  EXPECT_THAT(ask({6}, {-5, 5}, isa::PadMode::kReflect), HasSubstr("cannot be reflected"));
  EXPECT_EQ(ask({6}, {5, 5}, isa::PadMode::kReflect), "[16]");
  EXPECT_EQ(ask({1}, {5, 0}, isa::PadMode::kEdge), "[6]");
  EXPECT_THAT(ask({0}, {1, 0}, isa::PadMode::kEdge), HasSubstr("no element"));
  EXPECT_THAT(ask({6}, {INT64_MIN, INT64_MIN}, isa::PadMode::kConstant), HasSubstr("error"));
  EXPECT_THAT(ask({6}, {INT64_MAX, 1}, isa::PadMode::kConstant), HasSubstr("64 bits"));
  EXPECT_EQ(ask({knowledge.symbol("n")}, {1, 1}, isa::PadMode::kConstant), "[(n + 2)]");
}

TEST(RangeRule, CountsWithoutOverflow) {
  PartialKnowledge knowledge;
  const auto ask = [&](isa::Operand start, isa::Operand limit, isa::Operand step) {
    return RuleQuestion(isa::Opcode::kRange)
        .set("start", std::move(start))
        .set("limit", std::move(limit))
        .set("step", std::move(step))
        .ask(knowledge);
  };
  const auto number = [](std::int64_t value) { return isa::number(value); };
  EXPECT_EQ(ask(number(INT64_MAX - 2), number(INT64_MAX), number(1)), "[2]");
  EXPECT_EQ(ask(number(0), number(10), number(-1)), "[0]");
  EXPECT_EQ(ask(number(10), number(0), number(-3)), "[4]");
  EXPECT_EQ(ask(number(INT64_MIN), number(INT64_MAX), number(INT64_MAX)), "[3]");
  EXPECT_THAT(ask(number(INT64_MIN), number(INT64_MAX), number(1)), HasSubstr("64 bits"));
  EXPECT_THAT(ask(number(0), number(1), number(0)), HasSubstr("step is 0"));
  const Extent n = knowledge.symbol("n");
  EXPECT_EQ(ask(number(0), knowledge.add_size(n), number(1)), "[n]");
  EXPECT_EQ(ask(number(2), knowledge.add_size(n), number(1)), "[((n - 2) max 0)]");
  EXPECT_EQ(ask(isa::real(0), isa::real(1), isa::real(0.25)), "[4]");
  EXPECT_THAT(ask(isa::real(0), isa::real(1), isa::real(1e-30)), HasSubstr("64 bits"));
  EXPECT_EQ(ask(knowledge.add(DType::kI64, {}), number(5), number(1)), "[?]");
}

TEST(SelectionRules, KAndMeasuredSizes) {
  PartialKnowledge knowledge;
  const isa::Operand x = knowledge.add(DType::kF32, {1, 855});
  const auto ask = [&](isa::Operand k) {
    return RuleQuestion(isa::Opcode::kTopK).set("x", x).set("k", std::move(k)).ask(knowledge);
  };
  const std::string message = ask(isa::number(1000));
  EXPECT_THAT(message, HasSubstr("k is 1000"));
  EXPECT_THAT(message, HasSubstr("extent 855"));
  EXPECT_EQ(ask(isa::number(0)), "[1, 0]");
  EXPECT_EQ(ask(isa::number(855)), "[1, 855]");
  EXPECT_EQ(ask(knowledge.add_size(knowledge.symbol("k"))), "[1, k]");
  EXPECT_EQ(RuleQuestion(isa::Opcode::kNonZero).set("x", x).ask(knowledge), "[2, found]");
  const isa::Operand condition = knowledge.add(DType::kBool, {2, 2});
  EXPECT_THAT(
      RuleQuestion(isa::Opcode::kCompress).set("x", x).set("condition", condition).ask(knowledge),
      HasSubstr("one axis"));
}

TEST(CreationRules, ShapesFromSizes) {
  PartialKnowledge knowledge;
  EXPECT_EQ(RuleQuestion(isa::Opcode::kFill)
                .set("value", isa::real(1))
                .set("shape", sizes({2, 0}))
                .ask(knowledge),
            "[2, 0]");
  EXPECT_THAT(RuleQuestion(isa::Opcode::kFill)
                  .set("value", isa::real(1))
                  .set("shape", sizes({-2}))
                  .ask(knowledge),
              HasSubstr("negative"));
  EXPECT_THAT(RuleQuestion(isa::Opcode::kFill)
                  .set("value", knowledge.add(DType::kF32, {2}))
                  .set("shape", sizes({2}))
                  .ask(knowledge),
              HasSubstr("one element"));
  EXPECT_EQ(RuleQuestion(isa::Opcode::kRandomNormal)
                .set("shape", sizes({3}))
                .set("to", isa::type(DType::kF16))
                .ask(knowledge),
            "[3]");
  EXPECT_THAT(RuleQuestion(isa::Opcode::kRandomNormal)
                  .set("shape", sizes({3}))
                  .set("to", isa::type(DType::kI32))
                  .ask(knowledge),
              HasSubstr("i32"));
}

}  // namespace
}  // namespace pliant::semantics
