#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "semantics/slice_bounds.h"
#include "support/partial_knowledge.h"

// Shape rules of the View rows with symbolic extents and unknown values.

namespace pliant::semantics {
namespace {

using ::testing::HasSubstr;
using testing::PartialKnowledge;
using testing::RuleQuestion;

isa::Operand sizes(const std::vector<std::int64_t>& values) {
  return isa::numbers(values);
}

TEST(ReshapeRule, ComputesMinusOneFromSymbols) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const isa::Operand x = knowledge.add(DType::kF32, {n, 4, 6});
  const auto ask = [&](isa::Operand shape) {
    return RuleQuestion(isa::Opcode::kReshape)
        .set("x", x)
        .set("shape", std::move(shape))
        .ask(knowledge);
  };
  EXPECT_EQ(ask(sizes({0, -1, 3})), "[n, 8, 3]");
  EXPECT_EQ(ask(sizes({-1, 24})), "[n, 24]");
  EXPECT_EQ(ask(sizes({-1, 12})), "[(2 * n), 12]");
  EXPECT_EQ(ask(sizes({-1})), "[(24 * n)]");
  const isa::Operand size = knowledge.add_size(n);
  EXPECT_EQ(ask(isa::list({size, isa::number(-1)})), "[n, 24]");
  // Not provable without knowing n: still right for every n that fits.
  EXPECT_EQ(ask(sizes({-1, 5})), "[((24 * n) / 5), 5]");
}

TEST(ReshapeRule, KnowsTheRankFromTheLengthOfTheList) {
  PartialKnowledge knowledge;
  const isa::Operand x = knowledge.add_of_unknown_rank(DType::kF32);
  const auto ask = [&](isa::Operand shape) {
    return RuleQuestion(isa::Opcode::kReshape)
        .set("x", x)
        .set("shape", std::move(shape))
        .ask(knowledge);
  };
  EXPECT_EQ(ask(sizes({0, -1, 3})), "[?, ?, 3]");
  EXPECT_EQ(ask(knowledge.add(DType::kI64, {2})), "[?, ?]");
  EXPECT_EQ(ask(knowledge.add(DType::kI64, {knowledge.symbol("k")})), "?");
}

TEST(ReshapeRule, ZeroCopiesOrIsZero) {
  PartialKnowledge knowledge;
  const isa::Operand x = knowledge.add(DType::kF32, {0, 8, 2});
  const auto ask = [&](const isa::Operand& from, const std::vector<std::int64_t>& shape,
                       isa::ZeroExtent zero) {
    return RuleQuestion(isa::Opcode::kReshape)
        .set("x", from)
        .set("shape", sizes(shape))
        .set("zero", isa::choice(zero))
        .ask(knowledge);
  };
  EXPECT_EQ(ask(x, {4, 2, -1}, isa::ZeroExtent::kCopy), "[4, 2, 0]");
  const isa::Operand again = knowledge.add(DType::kF32, {4, 2, 0});
  EXPECT_EQ(ask(again, {0, 0, 4}, isa::ZeroExtent::kLiteral), "[0, 0, 4]");
  const isa::Operand flat = knowledge.add(DType::kF32, {2, 0});
  EXPECT_EQ(ask(flat, {1, 2, 0}, isa::ZeroExtent::kLiteral), "[1, 2, 0]");
  EXPECT_THAT(ask(flat, {1, 2, 0}, isa::ZeroExtent::kCopy), HasSubstr("position 2"));
  EXPECT_EQ(ask(x, {0, -1}, isa::ZeroExtent::kLiteral), "[0, 16]");
  EXPECT_EQ(ask(x, {0, 8, -1, 1}, isa::ZeroExtent::kLiteral), "[0, 8, 2, 1]");
  EXPECT_THAT(ask(x, {-1, 0}, isa::ZeroExtent::kLiteral), HasSubstr("-1 cannot be computed"));
}

TEST(ReshapeRule, RefusesOtherCountsAndSaysWhatForcesThem) {
  PartialKnowledge knowledge;
  const isa::Operand x = knowledge.add(DType::kF32, {2, 16, 4, 4});
  const std::string message =
      RuleQuestion(isa::Opcode::kReshape).set("x", x).set("shape", sizes({1, 256})).ask(knowledge);
  EXPECT_THAT(message, HasSubstr("[2, 16, 4, 4]"));
  EXPECT_THAT(message, HasSubstr("[1, 256]"));
  EXPECT_THAT(message, HasSubstr("a constant of the model forces axis 0 to 1"));
  const auto ask = [&](const std::vector<std::int64_t>& shape) {
    return RuleQuestion(isa::Opcode::kReshape)
        .set("x", x)
        .set("shape", sizes(shape))
        .ask(knowledge);
  };
  EXPECT_THAT(ask({-1, 3}), HasSubstr("error"));
  EXPECT_THAT(ask({-1, -1}), HasSubstr("at most one"));
  EXPECT_THAT(ask({-2, 256}), HasSubstr("-2"));
  EXPECT_THAT(ask({1, 1, 1, 1, 1, 1, 1, 1, 512}), HasSubstr("at most 8 axes"));
}

TEST(ReshapeRule, NotesWhatCannotBeDecidedYet) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const isa::Operand x = knowledge.add(DType::kF32, {n, 4});
  EXPECT_EQ(
      RuleQuestion(isa::Opcode::kReshape).set("x", x).set("shape", sizes({2, 6})).ask(knowledge),
      "[2, 6]");
  EXPECT_EQ(knowledge.notes.size(), 1u);
}

TEST(FlattenRule, TakesEveryAxisFromMinusRankToRank) {
  PartialKnowledge knowledge;
  const isa::Operand x = knowledge.add(DType::kF32, {knowledge.symbol("n"), 3, 4});
  const auto ask = [&](std::int64_t axis) {
    return RuleQuestion(isa::Opcode::kFlatten)
        .set("x", x)
        .set("axis", isa::number(axis))
        .ask(knowledge);
  };
  EXPECT_EQ(ask(0), "[1, ((n * 3) * 4)]");
  EXPECT_EQ(ask(1), "[n, 12]");
  EXPECT_EQ(ask(3), "[((n * 3) * 4), 1]");
  EXPECT_EQ(ask(-1), "[(n * 3), 4]");
  EXPECT_THAT(ask(4), HasSubstr("axis 4 is outside -3..3"));
}

TEST(TransposeRule, ChecksThePermutation) {
  PartialKnowledge knowledge;
  const isa::Operand x = knowledge.add(DType::kF32, {2, 3, knowledge.symbol("n")});
  const auto ask = [&](isa::Operand perm) {
    return RuleQuestion(isa::Opcode::kTranspose)
        .set("x", x)
        .set("perm", std::move(perm))
        .ask(knowledge);
  };
  EXPECT_EQ(ask(isa::absent()), "[n, 3, 2]");
  EXPECT_EQ(ask(sizes({0, 2, 1})), "[2, n, 3]");
  EXPECT_THAT(ask(sizes({0, 1})), HasSubstr("perm has 2 entries, x has rank 3"));
  EXPECT_THAT(ask(sizes({0, 1, 1})), HasSubstr("twice"));
}

TEST(BroadcastToRule, ExactAndMutual) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const auto ask = [&](const ExtentShape& x, isa::Operand shape, isa::Broadcast rule) {
    return RuleQuestion(isa::Opcode::kBroadcastTo)
        .set("x", knowledge.add(DType::kF32, x))
        .set("shape", std::move(shape))
        .set("rule", isa::choice(rule))
        .ask(knowledge);
  };
  EXPECT_EQ(ask({n, 5}, sizes({1, 5}), isa::Broadcast::kMutual), "[n, 5]");
  EXPECT_EQ(ask({n, 1}, sizes({2, 1, 4}), isa::Broadcast::kMutual), "[2, n, 4]");
  EXPECT_EQ(ask({3, 1}, sizes({3, 4}), isa::Broadcast::kExact), "[3, 4]");
  EXPECT_EQ(ask({1}, sizes({0}), isa::Broadcast::kExact), "[0]");
  EXPECT_THAT(ask({3, 4}, sizes({1, 4}), isa::Broadcast::kExact), HasSubstr("does not broadcast"));
  EXPECT_THAT(ask({4, 1}, sizes({-1, 3}), isa::Broadcast::kMutual), HasSubstr("use 1 to keep"));
  EXPECT_EQ(ask({n, 5}, knowledge.add(DType::kI64, {3}), isa::Broadcast::kMutual), "[?, ?, 5]");
  EXPECT_EQ(ask({2, 1, 5}, knowledge.add(DType::kI64, {1}), isa::Broadcast::kMutual), "[2, 1, 5]");
  EXPECT_EQ(
      ask({n, 5}, knowledge.add(DType::kI64, {knowledge.symbol("k")}), isa::Broadcast::kMutual),
      "?");
}

TEST(SqueezeRule, NeedsToKnowExtentsWithoutAxes) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const auto ask = [&](const ExtentShape& x, isa::Operand axis) {
    return RuleQuestion(isa::Opcode::kSqueeze)
        .set("x", knowledge.add(DType::kF32, x))
        .set("axis", std::move(axis))
        .ask(knowledge);
  };
  EXPECT_EQ(ask({1, 3, 1}, isa::absent()), "[3]");
  EXPECT_EQ(ask({1, n, 1}, isa::absent()), "?");
  EXPECT_EQ(ask({1, n, 1}, sizes({0, -1})), "[n]");
  EXPECT_EQ(ask({1, n, 3}, sizes({1})), "[1, 3]");
  EXPECT_THAT(ask({1, n, 3}, sizes({2})), HasSubstr("extent 3"));
  EXPECT_EQ(ask({1, n, 3}, knowledge.add(DType::kI64, {1})), "[?, ?]");
}

TEST(UnsqueezeRule, AxesCountInTheResult) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const auto ask = [&](isa::Operand axis) {
    return RuleQuestion(isa::Opcode::kUnsqueeze)
        .set("x", knowledge.add(DType::kF32, {n, 3}))
        .set("axis", std::move(axis))
        .ask(knowledge);
  };
  EXPECT_EQ(ask(sizes({0})), "[1, n, 3]");
  EXPECT_EQ(ask(sizes({3, 0})), "[1, n, 3, 1]");
  EXPECT_EQ(ask(sizes({-1, 1})), "[n, 1, 3, 1]");
  EXPECT_THAT(ask(sizes({4})), HasSubstr("axis 4"));
  EXPECT_THAT(ask(sizes({1, -3})), HasSubstr("twice"));
  EXPECT_EQ(ask(knowledge.add(DType::kI64, {2})), "[?, ?, ?, ?]");
}

TEST(SliceBounds, ClampPerDirectionWithoutOverflow) {
  const auto count = [](std::int64_t extent, std::int64_t start, std::int64_t end,
                        std::int64_t step) { return slice_bounds(extent, start, end, step).count; };
  EXPECT_EQ(count(10, 9, 0, -1), 9);
  EXPECT_EQ(count(10, 9, 2, -1), 7);
  EXPECT_EQ(count(10, 9, 0, -3), 3);
  EXPECT_EQ(count(20, 19, 0, -3), 7);
  EXPECT_EQ(count(10, 0, INT64_MAX, 1), 10);
  EXPECT_EQ(count(10, INT64_MIN, INT64_MAX, INT64_MAX), 1);
  EXPECT_EQ(count(10, INT64_MAX, INT64_MIN, -1), 10);
  EXPECT_EQ(count(10, INT64_MAX, INT64_MIN, INT64_MIN), 1);
  EXPECT_EQ(count(10, -3, INT64_MAX, 1), 3);
  EXPECT_EQ(count(10, 5, 5, 1), 0);
  EXPECT_EQ(count(10, 7, 3, 1), 0);
  EXPECT_EQ(count(0, 0, INT64_MAX, 1), 0);
  EXPECT_EQ(count(0, -1, INT64_MIN, -1), 0);
  EXPECT_EQ(count(1, -1, INT64_MIN, -1), 1);
  EXPECT_EQ(slice_bounds(10, 9, 2, -3).start, 9);
}

TEST(SliceRule, KeepsWhatItCanProve) {
  PartialKnowledge knowledge;
  const Extent n = knowledge.symbol("n");
  const isa::Operand x = knowledge.add(DType::kF32, {n, 10});
  const auto ask = [&](isa::Operand starts, isa::Operand ends, isa::Operand axes,
                       isa::Operand steps) {
    return RuleQuestion(isa::Opcode::kSlice)
        .set("x", x)
        .set("starts", std::move(starts))
        .set("ends", std::move(ends))
        .set("axes", std::move(axes))
        .set("steps", std::move(steps))
        .ask(knowledge);
  };
  EXPECT_EQ(ask(sizes({0}), sizes({INT64_MAX}), isa::absent(), isa::absent()), "[n, 10]");
  EXPECT_EQ(ask(sizes({1}), sizes({INT64_MAX}), isa::absent(), isa::absent()),
            "[(n - (1 min n)), 10]");
  EXPECT_EQ(ask(sizes({0}), sizes({-1}), sizes({1}), isa::absent()), "[n, 9]");
  EXPECT_EQ(ask(sizes({-1}), sizes({INT64_MIN}), sizes({0}), sizes({-1})), "[n, 10]");
  const isa::Operand size = knowledge.add_size(n);
  EXPECT_EQ(ask(sizes({0}), isa::list({size}), sizes({0}), isa::absent()), "[n, 10]");
  EXPECT_EQ(ask(sizes({0}), isa::list({size}), sizes({1}), isa::absent()), "[n, (n min 10)]");
  EXPECT_EQ(ask(knowledge.add(DType::kI64, {1}), sizes({5}), sizes({-1}), isa::absent()), "[n, ?]");
  EXPECT_EQ(ask(sizes({0}), sizes({5}), knowledge.add(DType::kI64, {1}), isa::absent()), "[?, ?]");
  EXPECT_THAT(ask(sizes({0}), sizes({5}), isa::absent(), sizes({0})), HasSubstr("step is 0"));
  EXPECT_THAT(ask(sizes({0, 0}), sizes({5}), isa::absent(), isa::absent()), HasSubstr("entries"));
  EXPECT_THAT(ask(sizes({0}), sizes({5}), sizes({2}), isa::absent()), HasSubstr("axis 2"));
}

TEST(SplitRule, EqualPartsWithASmallerLast) {
  PartialKnowledge knowledge;
  const auto ask = [&](const ExtentShape& x, int count, isa::Operand part_sizes) {
    RuleQuestion question(isa::Opcode::kSplit);
    question
        .set("parts",
             isa::list(std::vector<isa::Operand>(static_cast<std::size_t>(count), isa::reg(0))))
        .set("x", knowledge.add(DType::kF32, x))
        .set("axis", isa::number(-1))
        .set("sizes", std::move(part_sizes));
    std::string text;
    for (int part = 0; part < count; ++part) {
      text += question.ask(knowledge, part);
    }
    return text;
  };
  EXPECT_EQ(ask({7}, 3, isa::absent()), "[3][3][1]");
  EXPECT_EQ(ask({5}, 4, isa::absent()), "[2][2][1][0]");
  EXPECT_EQ(ask({0}, 2, isa::absent()), "[0][0]");
  EXPECT_EQ(ask({6}, 2, sizes({4, 2})), "[4][2]");
  EXPECT_THAT(ask({6}, 2, sizes({4, 1})), HasSubstr("sum of the sizes is 5"));
  EXPECT_THAT(ask({6}, 2, sizes({7, -1})), HasSubstr("-1"));
  EXPECT_THAT(ask({6}, 3, sizes({4, 2})), HasSubstr("2 sizes for 3 parts"));
  EXPECT_EQ(ask({6}, 2, knowledge.add(DType::kI64, {2})), "[?][?]");
}

}  // namespace
}  // namespace pliant::semantics
