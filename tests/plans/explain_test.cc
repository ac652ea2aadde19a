// What explain() says of a plan at given sizes.

#include <gmock/gmock.h>

#include "plans/plans_fixture.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string explain(const char* program, const std::vector<NamedTensor>& inputs,
                    const SessionOptions& options, Tier tier = Tier::kAuto) {
  auto model = Model::from_assembly(program, "m.pasm");
  EXPECT_TRUE(model) << model.error().to_string();
  auto session = Session::create(*model, options);
  EXPECT_TRUE(session) << session.error().to_string();
  RunOptions run;
  run.tier = tier;
  const auto text = session->explain(inputs, run);
  EXPECT_TRUE(text) << text.error().to_string();
  return text ? *text : std::string();
}

Tensor zeros(std::vector<std::int64_t> shape, DType dtype = DType::kF32) {
  auto tensor = Tensor::allocate(dtype, shape);
  EXPECT_TRUE(tensor);
  std::fill_n(static_cast<std::byte*>(tensor->mutable_data()), tensor->byte_size(), std::byte{0});
  return *tensor;
}

SessionOptions portable() {
  SessionOptions options;
  options.threads = 1;
  options.cpu_level = "portable";
  return options;
}

constexpr const char* kProduct = R"(.input x f32[rows, 64]
.input w f32[64, n]
.input b f32[n]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, w
LOAD_TENSOR r2, b
MATMUL r3, r0, r1
ELEMENTWISE_ADD r4, r3, r2
STORE_TENSOR y, r4
)";

TEST(Explain, NamesTilesAndEpilogueOfAProduct) {
  const std::string text = explain(
      kProduct, {{"x", zeros({100, 64})}, {"w", zeros({64, 48})}, {"b", zeros({48})}}, portable());
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("CPU level portable, 1 thread"), HasSubstr("sizes rows 100, n 48"),
            HasSubstr("MATMUL r0, r1 | ELEMENTWISE_ADD r2"), HasSubstr("from m.pasm:8:1"),
            HasSubstr("f32[100, 64], f32[64, 48], f32[48] -> f32[100, 48]"),
            HasSubstr("product 100 x 64 x 48"), HasSubstr("tiles of 4 x 8"),
            HasSubstr("rhs packed in each run, being no constant"),
            HasSubstr("epilogue: the group runs on each piece"), HasSubstr("scratch 12288 bytes")));
}

TEST(Explain, SaysWhyThereIsNoEpilogue) {
  const std::string text = explain(
      kProduct, {{"x", zeros({100, 64})}, {"w", zeros({64, 15})}, {"b", zeros({15})}}, portable());
  EXPECT_THAT(text, AllOf(HasSubstr("no epilogue: rows of fewer than 16 columns are not worth it"),
                          HasSubstr("1 elementwise instruction in one pass over memory, after the "
                                    "kernel")));
}

TEST(Explain, SmallProductsAreReadInPlace) {
  const std::string text = explain(
      kProduct, {{"x", zeros({2, 64})}, {"w", zeros({64, 48})}, {"b", zeros({48})}}, portable());
  EXPECT_THAT(text, HasSubstr("rhs read in place"));
}

TEST(Explain, SaysThatAResultIsEmpty) {
  const std::string text = explain(
      kProduct, {{"x", zeros({0, 64})}, {"w", zeros({64, 48})}, {"b", zeros({48})}}, portable());
  EXPECT_THAT(text, HasSubstr("nothing to do"));
}

TEST(Explain, MapsTheMemory) {
  const std::string text = explain(R"(.input x f32[n, 8]
.output y
LOAD_TENSOR r0, x
REDUCE_SUM r1, r0, axis=1, keepdims=true
TRANSPOSE r2, r1, perm=[1, 0]
CUMSUM r3, r2, 1
STORE_TENSOR y, r3
)",
                                   {{"x", zeros({100, 8})}}, portable());
  EXPECT_THAT(text, AllOf(HasSubstr("a view: nothing is computed"),
                          HasSubstr("memory: 448 bytes in 1 buffer; at least 400 are needed at "
                                    "one moment, ratio 1.120"),
                          HasSubstr("0          400  0..2        r1, r2"), HasSubstr("output y")));
}

TEST(Explain, NamesTheKernelOfAConvolution) {
  constexpr const char* kConvolution = R"(.input x f32[n, 4, h, w]
.input k f32[outputs, channels, 3, 3]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, k
CONV2D r2, r0, r1, pads=[1, 1, 1, 1], group=%
STORE_TENSOR y, r2
)";
  const auto with_group = [&](const char* group) {
    std::string text = kConvolution;
    return text.replace(text.find('%'), 1, group);
  };
  const Tensor x = zeros({1, 4, 8, 8});
  EXPECT_THAT(
      explain(with_group("1").c_str(), {{"x", x}, {"k", zeros({16, 4, 3, 3})}}, portable()),
      AllOf(HasSubstr("product without a built left-hand side"), HasSubstr("as one piece"),
            HasSubstr("x copied to channels-last"), HasSubstr("weights packed in each run")));
  EXPECT_THAT(explain(with_group("4").c_str(), {{"x", x}, {"k", zeros({4, 1, 3, 3})}}, portable()),
              HasSubstr("depthwise"));
}

TEST(Explain, NamesTheKernelOfAttention) {
  constexpr const char* kAttention = R"(.input q %[b, 2, n, 8]
.output y
LOAD_TENSOR r0, q
ATTENTION r1, r0, r0, r0
STORE_TENSOR y, r1
)";
  const auto of_type = [&](const char* type) {
    std::string text = kAttention;
    return text.replace(text.find('%'), 1, type);
  };
  EXPECT_THAT(explain(of_type("f32").c_str(), {{"q", zeros({1, 2, 30, 8})}}, portable()),
              HasSubstr("strips of 24 query rows x 30 keys; 2 heads over 1 thread"));
  EXPECT_THAT(
      explain(of_type("f64").c_str(), {{"q", zeros({1, 2, 30, 8}, DType::kF64)}}, portable()),
      HasSubstr("the definition row by row"));
}

TEST(Explain, NamesTierAndBoxAndWhyNotANarrowerOne) {
  const std::vector<NamedTensor> inputs = {
      {"x", zeros({100, 64})}, {"w", zeros({64, 48})}, {"b", zeros({48})}};
  EXPECT_THAT(explain(kProduct, inputs, portable()),
              AllOf(HasSubstr("tier any, box rows any, n any"),
                    HasSubstr("a bucket of width 16 is compiled after 50 runs in it")));
  EXPECT_THAT(explain(kProduct, inputs, portable(), Tier::kBucketed),
              AllOf(HasSubstr("tier bucketed, box rows 97..112, n 33..48"),
                    Not(HasSubstr("no narrower plan"))));
  EXPECT_THAT(explain(kProduct, inputs, portable(), Tier::kInterpreter),
              HasSubstr("interpreter, it was asked for"));
}

}  // namespace
}  // namespace pliant
