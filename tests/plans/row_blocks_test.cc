// Elementwise steps and row-wise kernels that run block of rows by block of rows give the bits of
// the interpreter, at all sizes.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "plans/plans_fixture.h"

namespace pliant {
namespace {

using namespace ::pliant::testing;
using ::testing::HasSubstr;

Session session_of(const std::string& program, int threads) {
  SessionOptions options = strict_options();
  options.threads = threads;
  auto model = Model::from_assembly(program, "m.pasm");
  EXPECT_TRUE(model) << model.error().to_string();
  auto session = Session::create(*model, options);
  EXPECT_TRUE(session) << session.error().to_string();
  return std::move(*session);
}

std::string explained(Session& session, const std::vector<NamedTensor>& inputs) {
  const auto text = session.explain(inputs, {});
  EXPECT_TRUE(text) << text.error().to_string();
  return text ? *text : std::string();
}

constexpr const char* kNorms = R"(.input x f32[batch, seq, hidden]
.input bias f32[hidden]
.input residual f32[batch, seq, hidden]
.output normal
.output stream
.output last
LOAD_TENSOR r0, x
LOAD_TENSOR r1, bias
LOAD_TENSOR r2, residual
ELEMENTWISE_ADD r3, r0, r1
ELEMENTWISE_ADD r4, r3, r2
LAYER_NORM r5, r4, scale=r1, bias=r1
STORE_TENSOR normal, r5
ELEMENTWISE_MUL r6, r5, 0.5
ELEMENTWISE_ADD r7, r4, r6
STORE_TENSOR stream, r7
RMS_NORM r8, r7
ELEMENTWISE_SIGMOID r9, r8
STORE_TENSOR last, r9
)";

TEST(RowBlocks, AStreamOfNorms) {
  for (const int threads : {1, 3}) {
    Session session = session_of(kNorms, threads);
    for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{3, 241, 257},
                                                   {1, 17, 9000},
                                                   {1, 5, 60000},
                                                   {1, 9000, 17},
                                                   {300, 301, 1},
                                                   {0, 5, 8},
                                                   {4, 0, 8},
                                                   {4, 5, 0},
                                                   {2, 3, 8},
                                                   {1, 130, 768}}) {
      SCOPED_TRACE(::testing::PrintToString(shape));
      run_everywhere(session, {{"x", ramp(shape)},
                               {"bias", ramp({shape[2]}, 0.25f)},
                               {"residual", ramp(shape, -9.0f)}});
    }
  }
}

TEST(RowBlocks, ExplainSaysHowManyRows) {
  Session session = session_of(kNorms, 1);
  const auto with_rows = [](std::int64_t rows) -> std::vector<NamedTensor> {
    return {{"x", ramp({2, rows, 256})}, {"bias", ramp({256})}, {"residual", ramp({2, rows, 256})}};
  };
  const std::string text = explained(session, with_rows(400));
  EXPECT_THAT(text, HasSubstr("& r"));
  EXPECT_THAT(text, HasSubstr("run together, "));
  EXPECT_THAT(text, HasSubstr(" of 800 rows at a time"));
  EXPECT_THAT(explained(session, with_rows(1)), HasSubstr("run one after the other"));
}

TEST(RowBlocks, ExplainNamesTheReasonWhyNot) {
  Session session = session_of(kNorms, 1);
  const auto reason = [&](std::vector<std::int64_t> shape) {
    const std::string text = explained(
        session, {{"x", ramp(shape)}, {"bias", ramp({shape[2]})}, {"residual", ramp(shape)}});
    const std::size_t at = text.find("run one after the other: ");
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(reason({2, 400, 256}), "");
  EXPECT_THAT(reason({1, 1, 9000}), HasSubstr(": there are fewer than two rows"));
  EXPECT_THAT(reason({2, 10, 256}), HasSubstr(" bytes, which stay in cache"));
  EXPECT_THAT(reason({1, 5, 200000}), HasSubstr(": a row of all tensors takes "));
}

TEST(RowBlocks, ExplainSaysThatLittleIsReadAgain) {
  std::string program = ".output y\n";
  for (int i = 0; i < 10; ++i) {
    program = fmt::format(".input x{} f32[n, m]\n{}LOAD_TENSOR r{}, x{}\n", i, program, i, i);
  }
  program += "ELEMENTWISE_ADD r10, r0, r1\n";
  for (int i = 2; i < 10; ++i) {
    program += fmt::format("ELEMENTWISE_ADD r{}, r{}, r{}\n", i + 9, i + 8, i);
  }
  program += "SOFTMAX r20, r18\nSTORE_TENSOR y, r20\n";
  Session session = session_of(program, 1);
  std::vector<NamedTensor> inputs;
  for (int i = 0; i < 10; ++i) {
    inputs.push_back({fmt::format("x{}", i), ramp({400, 256})});
  }
  EXPECT_THAT(explained(session, inputs), HasSubstr("later steps read again only "));
}

/// `%` stands for casts around 16-bit work.
constexpr const char* kSoftmax = R"(.input x f32[batch, heads, rows, columns]
.input mask f32[batch, 1, 1, columns]
.output y
.output largest
LOAD_TENSOR r0, x
LOAD_TENSOR r1, mask
CAST r2, r0, to=%
CAST r3, r1, to=%
ELEMENTWISE_ADD r4, r2, r3
SOFTMAX r5, r4
REDUCE_MAX r6, r5, axis=-1, keepdims=true
STORE_TENSOR largest, r6
ELEMENTWISE_DIV r7, r5, r6
STORE_TENSOR y, r7
)";

TEST(RowBlocks, MaskedSoftmaxAndItsLargest) {
  for (const std::string type : {"f32", "f16", "f64"}) {
    std::string program = kSoftmax;
    for (std::size_t at = program.find('%'); at != std::string::npos; at = program.find('%')) {
      program.replace(at, 1, type);
    }
    SCOPED_TRACE(type);
    for (const int threads : {1, 3}) {
      Session session = session_of(program, threads);
      EXPECT_THAT(
          explained(session, {{"x", ramp({2, 8, 200, 160})}, {"mask", ramp({2, 1, 1, 160})}}),
          HasSubstr(" of 3200 rows at a time"));
      for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{2, 3, 500, 199},
                                                     {1, 1, 9, 70000},
                                                     {2, 8, 200, 160},
                                                     {1, 5, 333, 301},
                                                     {3, 1, 0, 7},
                                                     {0, 2, 3, 4},
                                                     {1, 1, 4, 4},
                                                     {1, 1, 300000, 1}}) {
        SCOPED_TRACE(::testing::PrintToString(shape));
        run_everywhere(
            session, {{"x", ramp(shape, -3.0f)}, {"mask", ramp({shape[0], 1, 1, shape[3]}, 0.0f)}});
      }
    }
  }
}

TEST(RowBlocks, RowsThatAreNotDense) {
  // The sum follows the memory order of its operands, so its rows are no neighbours.
  Session session = session_of(R"(.input x f32[n, m]
.output y
LOAD_TENSOR r0, x
TRANSPOSE r1, r0
ELEMENTWISE_EXP r2, r1
SOFTMAX r3, r2
STORE_TENSOR y, r3
)",
                               1);
  const std::vector<NamedTensor> inputs = {{"x", ramp({900, 700})}};
  EXPECT_THAT(explained(session, inputs),
              HasSubstr("run one after the other: step 1 does not go row by row"));
  run_everywhere(session, inputs);
}

TEST(RowBlocks, ANormInParts) {
  Session session = session_of(R"(.input x f32[n, m, k]
.output y
LOAD_TENSOR r0, x
CUMSUM r9, r0, 2
REDUCE_MEAN r1, r9, axis=-1, keepdims=true
ELEMENTWISE_SUB r2, r9, r1
ELEMENTWISE_MUL r3, r2, r2
REDUCE_MEAN r4, r3, axis=-1, keepdims=true
ELEMENTWISE_ADD r5, r4, 1e-5
ELEMENTWISE_SQRT r6, r5
ELEMENTWISE_DIV r7, r2, r6
STORE_TENSOR y, r7
)",
                               2);
  const std::vector<NamedTensor> inputs = {{"x", ramp({2, 701, 300})}};
  EXPECT_THAT(explained(session, inputs), HasSubstr(" of 1402 rows at a time"));
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{2, 701, 300}, {1, 1, 5}, {7, 0, 5}, {1, 3, 30001}}) {
    SCOPED_TRACE(::testing::PrintToString(shape));
    run_everywhere(session, {{"x", ramp(shape)}});
  }
}

}  // namespace
}  // namespace pliant
