// Models that are unusual, wrong or unlucky, run through the public interface.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <pliant/session.h>

#include "support/onnx_model.h"
#include "support/protobuf_wire.h"

namespace pliant::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int kI64 = 7, kF32 = 1, kI32 = 6;

Tensor f32(std::vector<std::int64_t> shape, const std::vector<float>& values) {
  return Tensor::copy_of<float>(DType::kF32, shape, values).value();
}

Tensor i64(std::vector<std::int64_t> shape, const std::vector<std::int64_t>& values) {
  return Tensor::copy_of<std::int64_t>(DType::kI64, shape, values).value();
}

Tensor zeros(std::vector<std::int64_t> shape) {
  Tensor tensor = Tensor::allocate(DType::kF32, shape).value();
  std::fill_n(static_cast<float*>(tensor.mutable_data()), tensor.element_count(), 0.0f);
  return tensor;
}

/// A loaded model, or the reason why it did not load.
class Loaded {
 public:
  explicit Loaded(const OnnxModel& model) {
    auto read = Model::from_onnx(model.bytes());
    if (!read) {
      error_ = read.error().to_string();
      return;
    }
    auto session = Session::create(std::move(*read));
    if (session) {
      session_.emplace(std::move(*session));
    } else {
      error_ = session.error().to_string();
    }
  }

  Tensor run(const std::vector<NamedTensor>& inputs) {
    if (!session_) {
      ADD_FAILURE() << error_;
      return {};
    }
    auto results = session_->run(inputs);
    if (!results) {
      ADD_FAILURE() << results.error().to_string();
      return {};
    }
    return results->front();
  }

  std::string error_of_run(const std::vector<NamedTensor>& inputs) {
    if (!session_) {
      return error_;
    }
    auto results = session_->run(inputs);
    return results ? "ran" : results.error().to_string();
  }

 private:
  std::optional<Session> session_;
  std::string error_;
};

std::vector<float> values(const Tensor& tensor) {
  const auto elements = tensor.values<float>();
  return {elements.begin(), elements.end()};
}

TEST(ImportScenarios, DeclaredShapesOfResultsAreHints) {  // B050
  OnnxModel model;
  model.input("x", {"N", 2})
      .node("Concat", {"x", "x"}, {"h"}, {{"axis", 0}})
      .node("Neg", {"h"}, {"y"});
  // The output claims [N, 7] and the value between [2, 4, 6].
  const auto claim = [](std::string_view name, std::initializer_list<std::int64_t> extents) {
    WireWriter shape;
    for (const std::int64_t extent : extents) {
      WireWriter dimension;
      dimension.integer(1, static_cast<std::uint64_t>(extent));
      shape.bytes(1, dimension.result());
    }
    WireWriter tensor_type;
    tensor_type.integer(1, kF32).bytes(2, shape.result());
    WireWriter type;
    type.bytes(1, tensor_type.result());
    WireWriter info;
    info.bytes(1, name).bytes(2, type.result());
    return info.result();
  };
  model.graph_field(13, claim("h", {2, 4, 6})).graph_field(12, claim("y", {3, 7}));
  EXPECT_THAT(Loaded(model).run({{"x", f32({1, 2}, {1, 2})}}).shape(), ElementsAre(2, 2));
}

TEST(ImportScenarios, OneSymbolOnTwoInputsMustAgree) {  // B051
  OnnxModel model;
  model.input("a", {"a b"}).input("b", {"a b"}).output("y").node("Add", {"a", "b"}, {"y"});
  Loaded loaded(model);
  const std::string error = loaded.error_of_run({{"a", zeros({2})}, {"b", zeros({3})}});
  EXPECT_THAT(error, HasSubstr("'a'"));
  EXPECT_THAT(error, HasSubstr("'b'"));
  EXPECT_THAT(error, HasSubstr("a b"));
  EXPECT_THAT(loaded.run({{"a", zeros({3})}, {"b", zeros({3})}}).shape(), ElementsAre(3));
}

TEST(ImportScenarios, ShapesAreComputedThroughOtherTypes) {  // B088
  OnnxModel by_int32;
  by_int32.input("x", {"n"})
      .output("y")
      .initialiser("one", OnnxTensor{kI32, {1}, std::string("\1\0\0\0", 4)});
  by_int32.node("Shape", {"x"}, {"s"})
      .node("Cast", {"s"}, {"t"}, {{"to", kI32}})
      .node("Mul", {"t", "one"}, {"u"})
      .node("Cast", {"u"}, {"v"}, {{"to", kI64}})
      .node("Reshape", {"x", "v"}, {"y"});
  OnnxModel by_float;  // half of the size, in f32
  by_float.input("x", {"n"}).output("y").initialiser("half", OnnxTensor::f32({}, {0.5f}));
  by_float.node("Shape", {"x"}, {"s"})
      .node("Cast", {"s"}, {"t"}, {{"to", kF32}})
      .node("Mul", {"t", "half"}, {"u"})
      .node("Floor", {"u"}, {"v"})
      .node("Cast", {"v"}, {"w"}, {{"to", kI64}})
      .node("Resize", {"x", "", "", "w"}, {"y"});
  Loaded int32(by_int32);
  Loaded real(by_float);
  constexpr std::int64_t kBeyondFloat = (1 << 24) + 1;  // f32 rounds it to 2^24
  for (const std::int64_t size : {std::int64_t{1}, std::int64_t{7}, kBeyondFloat}) {
    EXPECT_THAT(int32.run({{"x", zeros({size})}}).shape(), ElementsAre(size));
    if (size > 1) {
      EXPECT_THAT(real.run({{"x", zeros({size})}}).shape(),
                  ElementsAre(size == kBeyondFloat ? 1 << 23 : size / 2));
    }
  }
}

OnnxModel scaled_by_initialiser(int ir_version) {
  OnnxModel model(17, ir_version);
  model.input("x", {"n"}).input("w", {1}).output("y").initialiser("w", OnnxTensor::f32({1}, {2}));
  model.node("Mul", {"x", "w"}, {"y"});
  return model;
}

TEST(ImportScenarios, AnInitialiserThatIsAnInputIsADefault) {  // B090
  Loaded loaded(scaled_by_initialiser(8));
  const Tensor x = f32({2}, {1, 3});
  EXPECT_THAT(values(loaded.run({{"x", x}})), ElementsAre(2, 6));
  EXPECT_THAT(values(loaded.run({{"x", x}, {"w", f32({1}, {5})}})), ElementsAre(5, 15));
  EXPECT_THAT(values(loaded.run({{"x", x}})), ElementsAre(2, 6));
}

TEST(ImportScenarios, InOldFilesItIsAConstant) {  // B090
  Loaded loaded(scaled_by_initialiser(3));
  EXPECT_THAT(values(loaded.run({{"x", f32({2}, {1, 3})}})), ElementsAre(2, 6));
  EXPECT_THAT(loaded.error_of_run({{"x", zeros({2})}, {"w", f32({1}, {5})}}), HasSubstr("'w'"));
}

TEST(ImportScenarios, ADefaultShapeCanBeReplaced) {  // B090
  OnnxModel model;
  model.input("x", {"n"})
      .input("shape", {2}, kI64)
      .output("y")
      .initialiser("shape", OnnxTensor::i64({2}, {2, 3}));
  model.node("Reshape", {"x", "shape"}, {"y"});
  Loaded loaded(model);
  EXPECT_THAT(loaded.run({{"x", zeros({6})}}).shape(), ElementsAre(2, 3));
  EXPECT_THAT(loaded.run({{"x", zeros({6})}, {"shape", i64({2}, {-1, 1})}}).shape(),
              ElementsAre(6, 1));
}

TEST(ImportScenarios, InputsWithoutNamesAreMissing) {  // B091
  OnnxModel clip;
  clip.input("x", {"n"})
      .output("y")
      .initialiser("six", OnnxTensor::f32({}, {6}))
      .node("Clip", {"x", "", "six"}, {"y"});
  EXPECT_THAT(values(Loaded(clip).run({{"x", f32({3}, {-9, 3, 9})}})), ElementsAre(-9, 3, 6));

  OnnxModel pad;
  pad.input("x", {"n"})
      .output("y")
      .initialiser("pads", OnnxTensor::i64({2}, {1, 0}))
      .node("Pad", {"x", "pads", ""}, {"y"});
  EXPECT_THAT(values(Loaded(pad).run({{"x", f32({1}, {5})}})), ElementsAre(0, 5));

  OnnxModel split;
  split.input("x", {"n"}).output("y").node("Split", {"x", ""}, {"", "y"});
  EXPECT_THAT(values(Loaded(split).run({{"x", f32({4}, {1, 2, 3, 4})}})), ElementsAre(3, 4));
}

TEST(ImportScenarios, ReductionsOverNoAxes) {  // B093
  struct Case {
    std::optional<OnnxTensor> axes;
    int noop;
    std::vector<std::int64_t> shape;
    float first;
  };
  const std::vector<std::int64_t> same = {3, 2, 2};
  const Case cases[] = {{std::nullopt, 0, {1, 1, 1}, 48},
                        {std::nullopt, 1, same, 4},
                        {OnnxTensor::i64({0}, {}), 0, {1, 1, 1}, 48},
                        {OnnxTensor::i64({0}, {}), 1, same, 4},
                        {OnnxTensor::i64({1}, {1}), 1, {3, 1, 2}, 8}};
  for (const Case& check : cases) {
    OnnxModel model(18);
    model.input("x", {"a", "b", "c"}).output("y");
    std::vector<std::string> inputs = {"x"};
    if (check.axes) {
      model.initialiser("axes", *check.axes);
      inputs.push_back("axes");
    }
    model.node("ReduceSumSquare", inputs, {"y"}, {{"noop_with_empty_axes", check.noop}});
    const Tensor result = Loaded(model).run({{"x", f32(same, std::vector<float>(12, 2))}});
    EXPECT_EQ(result.shape(), check.shape);
    EXPECT_EQ(values(result)[0], check.first);
  }
}

TEST(ImportScenarios, MistakesAreErrorsWithTheNode) {  // B096
  const auto error_of = [](OnnxModel& model) {
    return Loaded(model).error_of_run({{"x", zeros({7, 6, 1, 5})}});
  };
  const auto on_image = [] { return OnnxModel().input("x", {7, 6, 1, 5}).output("y"); };
  OnnxModel conv =
      on_image().initialiser("w", OnnxTensor::f32({}, {1})).node("Conv", {"x", "w"}, {"y"});
  EXPECT_THAT(error_of(conv), HasSubstr("(Conv)"));
  OnnxModel perm =
      on_image().node("Transpose", {"x"}, {"y"}, {{"perm", OnnxAttribute::Numbers{0, 1, 2, 3, 4}}});
  EXPECT_THAT(error_of(perm), HasSubstr("(Transpose)"));
  OnnxModel doubled =
      on_image().node("Transpose", {"x"}, {"y"}, {{"perm", OnnxAttribute::Numbers{0, 1, 1, 3}}});
  EXPECT_THAT(error_of(doubled), HasSubstr("(Transpose)"));
  OnnxModel concat = on_image().node("Concat", {"x", "x"}, {"y"}, {{"axis", 9}});
  EXPECT_THAT(error_of(concat), HasSubstr("(Concat)"));
  OnnxModel scalar =
      on_image().initialiser("w", OnnxTensor::f32({}, {1})).node("MatMul", {"x", "w"}, {"y"});
  EXPECT_THAT(error_of(scalar), HasSubstr("(MatMul)"));
  OnnxModel split = on_image().node("Split", {"x"}, {"y"}, {{"num_outputs", 0}});
  EXPECT_THAT(error_of(split), HasSubstr("(Split)"));
}

}  // namespace
}  // namespace pliant::testing
