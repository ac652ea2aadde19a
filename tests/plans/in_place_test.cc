// Elementwise steps write into the memory of an operand that nobody needs any more.

#include <gmock/gmock.h>

#include "plans/plans_fixture.h"

namespace pliant {
namespace {

using namespace ::pliant::testing;
using ::testing::HasSubstr;

SessionOptions one_thread() {
  SessionOptions options = strict_options();
  options.threads = 1;
  return options;
}

/// Runs a program over x f32[60, 60] in all tiers and says how its plan lays out the memory.
std::string memory_of(const std::string& instructions) {
  const std::string program =
      ".input x f32[n, m]\n.output y\nLOAD_TENSOR r0, x\n" + instructions + "STORE_TENSOR y, r9\n";
  auto model = Model::from_assembly(program, "m.pasm");
  EXPECT_TRUE(model) << model.error().to_string();
  auto session = Session::create(*model, one_thread());
  EXPECT_TRUE(session) << session.error().to_string();
  const std::vector<NamedTensor> inputs = {{"x", ramp({60, 60})}};
  run_everywhere(*session, inputs);
  const auto text = session->explain(inputs, {});
  EXPECT_TRUE(text) << text.error().to_string();
  return text ? text->substr(text->find("memory: ")) : std::string();
}

TEST(InPlace, AnOperandThatDiesLendsItsMemory) {
  // r1 is read twice, so the quotient is a step of its own; the product cannot be in its place.
  EXPECT_THAT(memory_of("CUMSUM r1, r0, 1\n"
                        "REDUCE_MAX r2, r1, axis=0, keepdims=true\n"
                        "ELEMENTWISE_SUB r3, r1, r2\n"
                        "CUMSUM r9, r3, 1\n"),
              HasSubstr("14400  0..3        r1, r3"));
}

TEST(InPlace, SoDoesASecondOperand) {
  EXPECT_THAT(memory_of("CUMSUM r1, r0, 1\n"
                        "REDUCE_MAX r2, r1, axis=0, keepdims=true\n"
                        "ELEMENTWISE_SUB r3, r2, r1\n"
                        "ELEMENTWISE_EXP r4, r3\n"
                        "CUMSUM r9, r4, 1\n"),
              HasSubstr("14400  0..3        r1, r3"));
}

TEST(InPlace, NotWhileItIsReadLater) {
  EXPECT_THAT(memory_of("CUMSUM r1, r0, 1\n"
                        "REDUCE_MAX r2, r1, axis=0, keepdims=true\n"
                        "ELEMENTWISE_SUB r3, r1, r2\n"
                        "CUMSUM r4, r3, 1\n"
                        "CONCAT r5, [r1, r4], axis=0\n"
                        "CUMSUM r9, r5, 1\n"),
              HasSubstr("14400  0..4        r1\n"));
}

TEST(InPlace, NotWhileAViewOfItIsReadLater) {
  EXPECT_THAT(memory_of("CUMSUM r1, r0, 1\n"
                        "TRANSPOSE r7, r1\n"
                        "REDUCE_MAX r2, r1, axis=0, keepdims=true\n"
                        "ELEMENTWISE_SUB r3, r1, r2\n"
                        "CUMSUM r4, r3, 1\n"
                        "MATMUL r5, r4, r7\n"
                        "CUMSUM r9, r5, 1\n"),
              HasSubstr("14400  0..5        r1, r2\n"));
}

TEST(InPlace, NotWhenAnotherOperandReadsItInAnotherOrder) {
  EXPECT_THAT(memory_of("CUMSUM r1, r0, 1\n"
                        "TRANSPOSE r2, r1\n"
                        "ELEMENTWISE_SUB r3, r1, r2\n"
                        "CUMSUM r9, r3, 1\n"),
              HasSubstr("14400  0..2        r1, r2\n"));
}

TEST(InPlace, TheSameOperandTwice) {
  EXPECT_THAT(memory_of("CUMSUM r1, r0, 1\n"
                        "REDUCE_MAX r2, r1, axis=0, keepdims=true\n"
                        "ELEMENTWISE_MUL r3, r1, r1\n"
                        "ELEMENTWISE_SUB r4, r3, r2\n"
                        "CUMSUM r9, r4, 1\n"),
              HasSubstr("14400  0..3        r1, r3"));
}

TEST(InPlace, ANormWritesOverWhatItNormalises) {
  EXPECT_THAT(memory_of("CUMSUM r1, r0, 1\n"
                        "SOFTMAX r2, r1\n"
                        "CUMSUM r9, r2, 1\n"),
              HasSubstr("14400  0..2        r1, r2"));
}

TEST(InPlace, NotWhenWhatJoinedTheKernelReadsItToo) {
  EXPECT_THAT(memory_of("CUMSUM r1, r0, 1\n"
                        "SOFTMAX r2, r1\n"
                        "ELEMENTWISE_ADD r3, r2, r1\n"
                        "CUMSUM r9, r3, 1\n"),
              HasSubstr("14400  0..1        r1\n"));
}

TEST(InPlace, NotWithElementsOfAnotherSize) {
  EXPECT_THAT(memory_of("CUMSUM r1, r0, 1\n"
                        "REDUCE_MAX r2, r1, axis=0, keepdims=true\n"
                        "ELEMENTWISE_LESS r3, r1, r2\n"
                        "CAST r4, r3, to=f64\n"
                        "CUMSUM r9, r4, 1\n"),
              HasSubstr("14400  0..2        r1\n"));
}

}  // namespace
}  // namespace pliant
