// The trace of a run: valid JSON with a slice for whatever took time.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "plans/plans_fixture.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace testing;
using nlohmann::json;

constexpr const char* kMatrix = R"(
.input "x\"\x1b\xff" f32[rows, 8]
.const w f32[8, 20] = seeded(3)
.output y
LOAD_TENSOR r0, "x\"\x1b\xff"
MATMUL r1, r0, w
ELEMENTWISE_RELU r2, r1
REDUCE_SUM r3, r2, axis=0
STORE_TENSOR y, r3
)";

struct Slice {
  std::string name;
  std::string category;
  int thread = 0;
  double begin = 0;
  double end = 0;
  json details;
};

std::vector<Slice> slices_of(const std::string& trace) {
  const json document = json::parse(trace);
  std::vector<Slice> slices;
  for (const json& event : document.at("traceEvents")) {
    if (event.at("ph") == "X") {
      slices.push_back({event.at("name"), event.at("cat"), event.at("tid"), event.at("ts"),
                        event.at("ts").get<double>() + event.at("dur").get<double>(),
                        event.at("args")});
    }
  }
  return slices;
}

std::vector<std::string> names_of(const std::vector<Slice>& slices, const std::string& category) {
  std::vector<std::string> names;
  for (const Slice& slice : slices) {
    if (slice.category == category) {
      names.push_back(slice.name);
    }
  }
  return names;
}

std::vector<Slice> trace(Session& session, const std::vector<NamedTensor>& inputs, Tier tier) {
  std::string text;
  RunOptions options;
  options.tier = tier;
  options.trace = &text;
  const auto outputs = session.run(inputs, options);
  EXPECT_TRUE(outputs) << outputs.error().to_string();
  return slices_of(text);
}

const std::vector<NamedTensor>& matrix_inputs() {
  static const std::vector<NamedTensor> inputs = {{"x\"\x1b\xff", ramp({5, 8})}};
  return inputs;
}

TEST(Trace, HasASliceForEachStepOfAPlan) {
  Session session = session_of(kMatrix, SessionOptions{});
  const std::vector<Slice> first = trace(session, matrix_inputs(), Tier::kAuto);
  EXPECT_THAT(names_of(first, "kernel"), ElementsAre("MATMUL | ELEMENTWISE_RELU", "REDUCE_SUM"));
  EXPECT_THAT(names_of(first, "plan"), ElementsAre("segment 0"));
  EXPECT_THAT(names_of(first, "bind"), ElementsAre("lay out and bind"));
  EXPECT_THAT(names_of(trace(session, matrix_inputs(), Tier::kAuto), "bind"),
              ElementsAre("bind again"));
  const Slice& run = first.front();
  EXPECT_EQ(run.name, "run");
  constexpr double kRounding = 0.002;  // times are written with three digits
  for (const Slice& slice : first) {
    EXPECT_LE(slice.begin, slice.end) << slice.name;
    EXPECT_GE(slice.begin + kRounding, run.begin) << slice.name;
    EXPECT_LE(slice.end, run.end + kRounding) << slice.name;
  }
}

// Nobody looks at a clock between blocks of rows: who took how much of the time is not known.
TEST(Trace, HasOneSliceForStepsThatRunTogether) {
  Session session = session_of(R"(
.input x f32[n, 256]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_MUL r1, r0, 2.0
SOFTMAX r2, r1
ELEMENTWISE_ADD r3, r2, 1.0
REDUCE_MAX r4, r3, axis=1
STORE_TENSOR y, r4
)",
                               SessionOptions{});
  const std::vector<NamedTensor> few = {{"x", ramp({3, 256})}};
  const std::vector<NamedTensor> many = {{"x", ramp({4000, 256})}};
  EXPECT_THAT(names_of(trace(session, few, Tier::kAny), "rows"), IsEmpty());
  const std::vector<Slice> slices = trace(session, many, Tier::kAny);
  ASSERT_THAT(names_of(slices, "rows"),
              ElementsAre("ELEMENTWISE_MUL + SOFTMAX | ELEMENTWISE_ADD + REDUCE_MAX"));
  EXPECT_THAT(names_of(slices, "kernel"), IsEmpty());
  EXPECT_THAT(names_of(slices, "group"), IsEmpty());
  for (const Slice& slice : slices) {
    if (slice.category == "rows") {
      EXPECT_EQ(slice.details.at("steps"), "0, 1, 2");
      EXPECT_EQ(slice.details.at("from"), "test.pasm:5:1, test.pasm:6:1, test.pasm:8:1");
    } else {
      EXPECT_FALSE(slice.details.contains("steps")) << slice.name;
    }
  }
}

TEST(Trace, HasASliceForEachInstructionOfTheInterpreter) {
  Session session = session_of(kMatrix, SessionOptions{});
  EXPECT_THAT(
      names_of(trace(session, matrix_inputs(), Tier::kInterpreter), "interpreter"),
      ElementsAre("LOAD_TENSOR", "MATMUL", "ELEMENTWISE_RELU", "REDUCE_SUM", "STORE_TENSOR"));
}

TEST(Trace, ShowsCompilesOfTheRunAndOfTheBackgroundThread) {
  SessionOptions options;
  options.plans.floor = Floor::kInterpreter;
  options.plans.min_compile_iters = 1;
  Session session = session_of(kMatrix, options);
  const auto compiles = [&](Tier tier) {
    std::vector<int> threads;
    for (const Slice& slice : trace(session, matrix_inputs(), tier)) {
      if (slice.category == "compile") {
        threads.push_back(slice.thread);
      }
    }
    return threads;
  };
  EXPECT_THAT(compiles(Tier::kExact), Contains(1));
  // Whether a compile falls into a run is a matter of luck; what is certain is that it is not one
  // of the run's own.
  EXPECT_THAT(compiles(Tier::kAuto), Not(Contains(1)));
  session.finish_compiling();
}

TEST(Trace, OfARunThatFailsEndsWhereItFailed) {
  Session session = session_of(R"(
.input x f32[n]
.input i i64[m]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, i
GATHER r2, r0, r1, axis=0
STORE_TENSOR y, r2
)",
                               SessionOptions{});
  auto indices = Tensor::allocate(DType::kI64, std::vector<std::int64_t>{1});
  ASSERT_TRUE(indices);
  *static_cast<std::int64_t*>(indices->mutable_data()) = 7;
  std::string text;
  RunOptions options;
  options.trace = &text;
  EXPECT_FALSE(session.run(std::vector<NamedTensor>{{"x", ramp({3})}, {"i", *indices}}, options));
  const std::vector<Slice> slices = slices_of(text);
  EXPECT_THAT(names_of(slices, "interpreter"), Contains("GATHER"));
  for (const Slice& slice : slices) {
    if (slice.category == "plan") {
      EXPECT_EQ(slice.details.at("gave up"),
                "a check of elements failed, the interpreter reports it");
    }
  }
}

TEST(Trace, GivesTheAnswersOfARunWithoutOne) {
  Session session = session_of(kMatrix, SessionOptions{});
  std::string text;
  RunOptions options;
  options.trace = &text;
  for (const Tier tier : {Tier::kInterpreter, Tier::kAny, Tier::kExact}) {
    options.tier = tier;
    const auto traced = session.run(matrix_inputs(), options);
    ASSERT_TRUE(traced);
    EXPECT_TRUE(same_bits((*traced)[0], run_as(session, tier, matrix_inputs())[0]));
  }
}

}  // namespace
}  // namespace pliant
