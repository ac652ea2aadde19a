#include "text/assembler.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "isa/info.h"
#include "text/printer.h"

namespace pliant::text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Program assembled(std::string_view text) {
  Diagnostics diagnostics;
  auto program = assemble(text, "test.pasm", diagnostics);
  EXPECT_TRUE(program.has_value()) << diagnostics.render(text);
  return program ? std::move(*program) : Program();
}

std::string complaints(std::string_view text) {
  Diagnostics diagnostics;
  const auto program = assemble(text, "test.pasm", diagnostics);
  EXPECT_FALSE(program.has_value());
  return diagnostics.render(text);
}

/// Printing is a fixed point, and what was printed means the same.
std::string printed(std::string_view text) {
  const std::string once = print(assembled(text));
  EXPECT_EQ(print(assembled(once)), once);
  return once;
}

constexpr std::string_view kListing = R"(.dim    batch
.input  input   f32[batch, seq, 64]
.const  weights f32[64, 32] = seeded(7)
.output output
LOAD_TENSOR   r0, input
QUERY_SHAPE   r1, r0.dim(1)
BROADCAST_TO  r2, r1, [1]
MATMUL        r3, r0, weights
RESHAPE       r4, r3, [batch, -1]
REDUCE_SUM    r5, r4, axis=1
STORE_TENSOR  output, r5
)";

TEST(Assembler, ReadsTheListingOfTheDesign) {
  const Program program = assembled(kListing);
  EXPECT_THAT(program.symbols, ElementsAre("batch", "seq"));
  ASSERT_EQ(program.instructions.size(), 7u);
  EXPECT_EQ(program.registers[1].kind, RegisterKind::kSize);
  EXPECT_EQ(program.registers[2].kind, RegisterKind::kTensor);
  EXPECT_EQ(program.constants[0].seed, 7u);
  EXPECT_EQ(program.instructions[4].operands[isa::Reshape::shape],
            isa::list({isa::symbol(0), isa::number(-1)}));
  // A number alone is a list of one.
  EXPECT_EQ(program.instructions[5].operands[isa::ReduceSum::axis], isa::list({isa::number(1)}));
  EXPECT_EQ(program.describe(3), "test.pasm:8:1");
}

TEST(Assembler, PrintsTheListing) {
  EXPECT_EQ(printed(kListing), R"(.dim batch
.dim seq
.const weights f32[64, 32] = seeded(7)
.input input f32[batch, seq, 64]
.output output
LOAD_TENSOR r0, input
QUERY_SHAPE r1, r0.dim(1)
BROADCAST_TO r2, r1, [1]
MATMUL r3, r0, weights
RESHAPE r4, r3, [batch, -1]
REDUCE_SUM r5, r4, axis=[1]
STORE_TENSOR output, r5
)");
}

TEST(Assembler, NamesAreOpaqueBytes) {
  const std::string text = printed(
      ".dim \"a b\"\n.input \"x/y:0\\\"\\\\\\x00\\xff\" f32[\"a b\", \"r1.x\"]\n.output \"\"\n"
      "LOAD_TENSOR r0, \"x/y:0\\\"\\\\\\x00\\xff\"\nSTORE_TENSOR \"\", r0\n");
  EXPECT_THAT(text, HasSubstr(".input \"x/y:0\\\"\\\\\\x00\\xff\" f32[\"a b\", \"r1.x\"]"));
}

TEST(Assembler, NamesThatMeanSomethingElseAreQuoted) {
  for (const char* name : {"r7", "_", "inf", "nan", "true", "r0.dim"}) {
    Program program;
    program.outputs.push_back({name});
    EXPECT_EQ(print(program), fmt::format(".output \"{}\"\n", name));
    EXPECT_EQ(assembled(print(program)).outputs[0].name, name);
  }
}

TEST(Assembler, ConstantHidesSymbolOfTheSameName) {
  const Program program = assembled(
      ".input x f32[n]\n.const n i64[1] = {4}\nFILL r0, 0.0, n\nFILL r1, 0.0, [$n]\n"
      "FILL r2, 0.0, $n\n");
  EXPECT_EQ(program.instructions[0].operands[2], isa::constant(0));
  EXPECT_EQ(program.instructions[1].operands[2], isa::list({isa::symbol(0)}));
  EXPECT_EQ(program.instructions[2].operands[2], isa::list({isa::symbol(0)}));
  EXPECT_THAT(print(program), HasSubstr("FILL r1, 0.0, [$n]"));
}

TEST(Assembler, SizeRegisterAloneIsAListAndTensorRegisterIsNot) {
  const Program program = assembled(
      ".input x i64[2]\nLOAD_TENSOR r0, x\nREAD_SIZE r1, r0[1]\nMOVE_REG r2, r1\n"
      "FILL r3, 0.0, r2\nFILL r4, 0.0, r0\n");
  EXPECT_EQ(program.instructions[3].operands[2], isa::list({isa::reg(2)}));
  EXPECT_EQ(program.instructions[4].operands[2], isa::reg(0));
}

TEST(Assembler, MovedNumberIsASizeUnlessTensorsAreWritten) {
  const Program program = assembled("MOVE_REG r0, 4\nMOVE_REG r1, 4\nSHAPE_OF r1, r1\n");
  EXPECT_EQ(program.registers[0].kind, RegisterKind::kSize);
  EXPECT_EQ(program.registers[1].kind, RegisterKind::kTensor);
}

TEST(Assembler, ConstantsOfEveryType) {
  const std::string text = printed(R"(
.const a f32[6] = {1, -2.5, nan, inf, -inf, 1e-5}
.const b f16[3] = {0.1, 65504, 6e-8}
.const c bf16[2] = {0.1, 3.14}
.const d f64[2] = {0.1, 1e300}
.const e bool[2] = {true, false}
.const f u64[2] = {18446744073709551615, 0}
.const g i8[2, 2] = {-128, 127, 0, 1}
.const h i64[0] = {}
.const i i32[] = {5}
.const j f32[3] = full(-0.0)
.const k f32[2] = {bits(0x7fc00001), 0.1}
)");
  EXPECT_THAT(text, HasSubstr("{1, -2.5, nan, inf, -inf, 1e-05}"));
  EXPECT_THAT(text, HasSubstr("f16[3] = {0.1, 65500, 6e-08}"));
  EXPECT_THAT(text, HasSubstr("bf16[2] = {0.1, 3.14}"));
  EXPECT_THAT(text, HasSubstr("full(-0)"));
  EXPECT_THAT(text, HasSubstr("bits(0x7fc00001)"));
  EXPECT_THAT(text, HasSubstr("18446744073709551615"));
}

TEST(Assembler, ValuesMaySpanLines) {
  const Program program = assembled(".const a i32[3] = { ; three\n 1,\n 2, 3\n}\nHALT\n");
  EXPECT_EQ(program.constants[0].value.view.as<std::int32_t>()[2], 3);
  EXPECT_EQ(program.places[0].line, 5);
}

TEST(Assembler, LabelsLoopsAndDroppedResults) {
  const std::string text = printed(R"(
.input x f32[n, 4]
LOAD_TENSOR r0, x
MOVE_REG r1, 3
@again: LOOP_BEGIN r2, r1, @after
TOP_K r3, _, r0, 2, order=smallest
LOOP_END @again
@after:
BRANCH_ON_SHAPE r1, ==, 3, @end
JUMP @end
@end:
)");
  EXPECT_THAT(text,
              HasSubstr("@l0:\nLOOP_BEGIN r2, r1, @l1\nTOP_K r3, _, r0, 2, order=smallest\n"
                        "LOOP_END @l0\n@l1:\nBRANCH_ON_SHAPE r1, ==, 3, @l2\nJUMP @l2\n@l2:"));
}

TEST(Assembler, EveryInstructionHasDefaultsThatPrintAsNothing) {
  for (const isa::InstructionInfo& row : isa::instructions()) {
    for (const isa::OperandInfo& operand : row.operands) {
      EXPECT_FALSE(operand.doc.empty()) << row.mnemonic << ' ' << operand.field;
    }
  }
}

TEST(Assembler, ErrorsHavePlaceLineAndCaret) {
  EXPECT_EQ(complaints("HALT\nMATMUL  r3, r0, weight\n"),
            "test.pasm:2:17: error: weight is neither a constant nor a symbol\n"
            "    2 | MATMUL  r3, r0, weight\n"
            "      |                 ^\n");
}

TEST(Assembler, ReportsManyErrors) {
  const std::string text = complaints("FOO r1\nCONCAT r0, [r1]\n.input x f33[2]\nJUMP @nowhere\n");
  EXPECT_THAT(text, HasSubstr("test.pasm:1:1: error: there is no instruction FOO"));
  EXPECT_THAT(text, HasSubstr("test.pasm:2:16: error: CONCAT needs axis=: -rank..rank-1"));
  EXPECT_THAT(text, HasSubstr("test.pasm:3:10: error: expected an element type, found `f33`"));
  EXPECT_THAT(text, HasSubstr("test.pasm:4:6: error: label @nowhere is not set"));
}

struct BadText {
  const char* text;
  const char* message;
};
class BadTexts : public testing::TestWithParam<BadText> {};
TEST_P(BadTexts, AreRefused) {
  EXPECT_THAT(complaints(GetParam().text), HasSubstr(GetParam().message));
}
INSTANTIATE_TEST_SUITE_P(
    Assembler, BadTexts,
    testing::Values(
        BadText{"HALT r1", "HALT takes 0 operands"},
        BadText{"SOFTMAX r0, r1, axis=1, axis=2", "attribute axis is given twice"},
        BadText{"SOFTMAX r0, r1, foo=1", "SOFTMAX has no attribute foo"},
        BadText{"SOFTMAX r0, x=r1", "SOFTMAX takes x by its position"},
        BadText{"SOFTMAX r0", "SOFTMAX needs x: rank >= 1"},
        BadText{"SOFTMAX r0 r1", "expected `,` or the end of the line, found `r1`"},
        BadText{"SOFTMAX r9999999, r1", "the largest register is r1048575"},
        BadText{".const a f32[2] = {1}", "shape [2] has 2 elements, found 1 values"},
        BadText{".const a f32[1] = {x}", "expected a value of type f32, found `x`"},
        BadText{".const a i8[1] = {300}", "expected a value of type i8, found `300`"},
        BadText{".const a f32[2] = {...}", "were left out when it was printed"},
        BadText{".const a f32[99999999999, 99999999999] = full(0)", "too many elements"},
        BadText{".const a i32[2] = seeded(1)", "seeded() makes f32"},
        BadText{".const a f32[1] = {1}\n.const a f32[1] = {1}", "constant a is declared twice"},
        BadText{".input x f32[1,1,1,1,1,1,1,1,1]", "a shape has at most 8 axes"},
        BadText{".input x f32[-1]", "expected an extent, found `-1`"},
        BadText{".output \"abc", "a quoted name without its end"},
        BadText{".output \"\\q\"", "unknown escape"}, BadText{"@a:\n@a:", "label @a is set twice"},
        BadText{"LOAD_TENSOR r0, x", "there is no input x"},
        BadText{".foo", "expected one of .dim .input .output .const, found `.foo`"},
        BadText{"\x01", "found `\\x01`"},
        BadText{"ELEMENTWISE_GELU r0, r1, form=fast", "expected one of exact tanh, found `fast`"}));

TEST(Assembler, GarbageGivesABoundedNumberOfErrors) {
  std::string garbage;
  for (int i = 0; i < 1000; ++i) {
    garbage += "@@ ]]\n";
  }
  Diagnostics diagnostics;
  EXPECT_FALSE(assemble(garbage, "x", diagnostics).has_value());
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::kMaxCount);
}

TEST(Assembler, ConstantBytesAreLimited) {
  Diagnostics diagnostics;
  const auto program = assemble(".const a f32[1000] = full(1)", "x", diagnostics,
                                AssembleLimits{.constant_bytes = 100});
  ASSERT_FALSE(program.has_value());
  EXPECT_EQ(program.error().code, ErrorCode::kResourceExhausted);
}

TEST(Printer, LeavesOutLongConstants) {
  const Program program = assembled(".const a i32[3] = {1, 2, 3}\n.const b f32[9] = full(2)\n");
  EXPECT_EQ(print(program, {.max_constant_elements = 2}),
            ".const a i32[3] = {...}\n.const b f32[9] = full(2)\n");
}

TEST(Printer, ShowsOriginsAsComments) {
  Program program = assembled("HALT\n");
  program.places[0].origin = "node 'a\nb'";
  EXPECT_EQ(print(program, {.origins = true}), "HALT  ; \"node 'a\\nb'\"\n");
}

}  // namespace
}  // namespace pliant::text
