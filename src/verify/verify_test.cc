#include "verify/verify.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "program/builder.h"

// Most of what the verifier says is tested by tests/verify/*.pasm; here is what text cannot say.

namespace pliant::verify {
namespace {

using isa::Opcode;
using testing::HasSubstr;

Builder with_input() {
  Builder builder("test");
  builder.add_input({"x", DType::kF32, {{InputExtent::Kind::kNumber, 4}}, true, {}});
  builder.add_output("y");
  return builder;
}

TEST(Verify, FillsInElementTypes) {
  Builder builder = with_input();
  const auto x = builder.new_tensor();
  const auto shape = builder.new_tensor();
  const auto size = builder.new_size();
  builder.emit(Opcode::kLoadTensor, {x, isa::input(0)});
  builder.emit(Opcode::kShapeOf, {shape, x});
  builder.emit(Opcode::kReadSize, {size, isa::element_of(shape.number, 0)});
  builder.emit(Opcode::kStoreTensor, {isa::output(0), x});
  const auto verified = verify(builder.take());
  ASSERT_TRUE(verified.has_value()) << verified.error().to_string();
  const Program& program = **verified;
  EXPECT_EQ(program.registers[0].dtype, DType::kF32);
  EXPECT_EQ(program.registers[1].dtype, DType::kI64);
  EXPECT_EQ(program.registers[2].dtype, std::nullopt);
}

TEST(Verify, FillsInRanksThatAreTheSameEverywhere) {
  Builder builder = with_input();
  const auto x = builder.new_tensor();
  const auto twice = builder.new_tensor();
  const auto other = builder.new_tensor();
  builder.emit(Opcode::kLoadTensor, {x, isa::input(0)});
  builder.emit(Opcode::kShapeOf, {twice, x});
  builder.emit(Opcode::kNonZero, {other, x});
  builder.emit(Opcode::kMoveReg, {other, twice});
  builder.emit(Opcode::kShapeOf, {twice, other});
  builder.emit(Opcode::kStoreTensor, {isa::output(0), x});
  const auto verified = verify(builder.take());
  ASSERT_TRUE(verified.has_value()) << verified.error().to_string();
  const Program& program = **verified;
  EXPECT_EQ(program.registers[0].rank, 1u);
  EXPECT_EQ(program.registers[1].rank, 1u);
  EXPECT_EQ(program.registers[2].rank, std::nullopt);  // 2, then 1
}

TEST(Verify, NamesTheNodeThatAnInstructionCameFrom) {
  Builder builder = with_input();
  builder.set_origin("node 'exp' (Exp)");
  builder.emit(Opcode::kElementwiseExponential, {builder.new_tensor(), builder.new_tensor()});
  const auto verified = verify(builder.take());
  ASSERT_FALSE(verified.has_value());
  EXPECT_THAT(verified.error().to_string(), HasSubstr("node 'exp' (Exp)"));
}

struct BadProgram {
  const char* name;
  void (*spoil)(Program&);
  const char* message;
};
class BadPrograms : public testing::TestWithParam<BadProgram> {};
TEST_P(BadPrograms, AreRefused) {
  Builder builder = with_input();
  const auto x = builder.new_tensor();
  builder.emit(Opcode::kLoadTensor, {x, isa::input(0)});
  builder.emit(Opcode::kSoftmax, {builder.new_tensor(), x});
  builder.emit(Opcode::kStoreTensor, {isa::output(0), x});
  Program program = builder.take();
  GetParam().spoil(program);
  const auto verified = verify(std::move(program));
  ASSERT_FALSE(verified.has_value());
  EXPECT_THAT(verified.error().message, HasSubstr(GetParam().message));
}
INSTANTIATE_TEST_SUITE_P(
    Verify, BadPrograms,
    testing::Values(
        BadProgram{"opcode",
                   [](Program& p) { p.instructions[1].opcode = static_cast<Opcode>(0x5ff); },
                   "there is no instruction with code 1535"},
        BadProgram{"operand_count", [](Program& p) { p.instructions[1].operands.pop_back(); },
                   "SOFTMAX takes 3 operands, found 2"},
        BadProgram{"form", [](Program& p) { p.instructions[1].operands[2] = isa::flag(true); },
                   "operand axis has the wrong form"},
        BadProgram{"absent", [](Program& p) { p.instructions[1].operands[2] = isa::absent(); },
                   "operand axis has the wrong form"},
        BadProgram{"register", [](Program& p) { p.instructions[1].operands[1].number = 7; },
                   "operand x has an index out of range: 7 of 2"},
        BadProgram{"negative", [](Program& p) { p.instructions[1].operands[1].number = -1; },
                   "index out of range: -1"},
        BadProgram{"input", [](Program& p) { p.instructions[0].operands[1].number = 1; },
                   "operand input has an index out of range: 1 of 1"},
        BadProgram{"doubled_name", [](Program& p) { p.outputs.push_back({"y"}); },
                   "output is declared twice: y"},
        BadProgram{"symbol_of_extent",
                   [](Program& p) {
                     p.inputs[0].shape[0] = {InputExtent::Kind::kSymbol, 3};
                   },
                   "an extent of input x is out of range"},
        BadProgram{"constant",
                   [](Program& p) {
                     p.constants.push_back({"c", {}, {}});
                   },
                   "constant c has no proper values"},
        BadProgram{"default", [](Program& p) { p.inputs[0].default_constant = 0; },
                   "the default of input x does not exist"}),
    [](const auto& tested) { return tested.param.name; });

/// x -> -x -> -x …, optionally with a branch around every tenth step.
enum class Branches { kNone, kMany };
Program long_program(int count, Branches branches) {
  Builder builder = with_input();
  auto last = builder.new_tensor();
  builder.emit(Opcode::kLoadTensor, {last, isa::input(0)});
  for (int i = 0; i < count; ++i) {
    if (branches == Branches::kMany && i % 10 == 0) {
      builder.emit(Opcode::kBranchOnShape, {isa::number(1), isa::choice(isa::Comparison::kLess),
                                            isa::number(2), isa::label(builder.next() + 2)});
      builder.emit(Opcode::kElementwiseNegate, {last, last});
      continue;
    }
    auto next = builder.new_tensor();
    builder.emit(Opcode::kElementwiseNegate, {next, last});
    last = next;
  }
  builder.emit(Opcode::kStoreTensor, {isa::output(0), last});
  return builder.take();
}

TEST(Verify, LongProgramsAreFine) {
  EXPECT_TRUE(verify(long_program(100000, Branches::kNone)).has_value());
  EXPECT_TRUE(verify(long_program(100000, Branches::kMany)).has_value());
}

TEST(Verify, ManyMovesAroundALoopSettle) {
  // Each visit of the loop carries the growing shape on by one register.
  Builder builder = with_input();
  std::vector<isa::Operand> chain;
  for (int i = 0; i < 1000; ++i) {
    chain.push_back(builder.new_tensor());
    builder.emit(Opcode::kLoadTensor, {chain.back(), isa::input(0)});
  }
  const auto iteration = builder.new_size();
  const auto begin = builder.emit(Opcode::kLoopBegin, {iteration, isa::number(9), isa::label(0)});
  for (std::size_t i = chain.size() - 1; i > 0; --i) {
    builder.emit(Opcode::kMoveReg, {chain[i], chain[i - 1]});
  }
  builder.emit(Opcode::kConcat, {chain[0], isa::list({chain[0], chain[0]})},
               {{"axis", isa::number(0)}});
  builder.emit(Opcode::kLoopEnd, {isa::label(static_cast<std::int64_t>(begin))});
  builder.set_label(begin, isa::LoopBegin::end, builder.next());
  builder.emit(Opcode::kStoreTensor, {isa::output(0), chain.back()});
  const auto verified = verify(builder.take());
  EXPECT_TRUE(verified.has_value()) << verified.error().to_string();
}

}  // namespace
}  // namespace pliant::verify
