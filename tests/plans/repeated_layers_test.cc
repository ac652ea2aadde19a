#include "plans/plans_fixture.h"

namespace pliant {
namespace {

using namespace testing;

// Layers repeat themselves, and a plan binds a step as it bound the last one of its kind, unless its
// tensors lie in other ways. Each program here has a step that must not be taken for the one before.

/// Runs a program, in which r0 and r1 are matrices and y is the result, at several sizes in every
/// tier, some twice, so that bound runs are remembered and reused.
void expect_same_everywhere(const std::string& body, const std::string& declarations = "") {
  const std::string text = ".input x f32[n, n]\n.input z f32[n, n]\n.output y\n" + declarations +
                           "LOAD_TENSOR r0, x\nLOAD_TENSOR r1, z\n" + body;
  Session session = session_of(text.c_str(), strict_options());
  for (const std::int64_t rows : {6, 1, 4, 6, 17, 4}) {
    run_everywhere(session, {{"x", ramp({rows, rows})}, {"z", ramp({rows, rows}, 2.0f)}});
  }
}

TEST(RepeatedLayers, SameStepOverOtherTensors) {
  expect_same_everywhere(R"(
MATMUL r2, r0, r1
MATMUL r3, r1, r2
MATMUL r4, r2, r3
SOFTMAX r5, r4, axis=1
SOFTMAX r6, r3, axis=1
MATMUL r7, r5, r6
STORE_TENSOR y, r7
)");
}

TEST(RepeatedLayers, OneTensorTwice) {
  expect_same_everywhere(R"(
MATMUL r2, r0, r0
MATMUL r3, r0, r1
MATMUL r4, r3, r3
MATMUL r5, r4, r2
STORE_TENSOR y, r5
)");
}

TEST(RepeatedLayers, OtherStrides) {
  expect_same_everywhere(R"(
TRANSPOSE r2, r1
REDUCE_SUM r3, r1, axis=1, keepdims=true
REDUCE_SUM r4, r2, axis=1, keepdims=true
SOFTMAX r5, r0, axis=1
SOFTMAX r6, r2, axis=1
MATMUL r7, r5, r6
MATMUL r8, r7, r3
MATMUL r9, r7, r4
CONCAT r10, [r8, r9], axis=1
STORE_TENSOR y, r10
)");
}

TEST(RepeatedLayers, OtherPartOfABuffer) {
  expect_same_everywhere(R"(
CONCAT r2, [r0, r1], axis=0
SOFTMAX r3, r2, axis=1
SLICE r4, r3, [0], [1], axes=[0]
SLICE r5, r3, [1], [2], axes=[0]
SOFTMAX r6, r4, axis=1
SOFTMAX r7, r5, axis=1
TRANSPOSE r8, r6
MATMUL r9, r8, r7
STORE_TENSOR y, r9
)");
}

TEST(RepeatedLayers, ResultsOfTheProgramBetweenThem) {
  expect_same_everywhere(R"(
MATMUL r2, r0, r1
MATMUL r3, r2, r1
STORE_TENSOR u, r3
MATMUL r4, r3, r2
MATMUL r5, r4, r3
STORE_TENSOR y, r5
)",
                         ".output u\n");
}

}  // namespace
}  // namespace pliant
