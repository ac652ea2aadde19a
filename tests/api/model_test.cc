#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include <pliant/model.h>

#include "api/session_fixture.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using testing::float_values;
using testing::floats;
using ::testing::HasSubstr;

constexpr const char* kScaling = R"(
.input x f32[n, 2]
.const c f32[2] = {2.0, 3.0}
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_MUL r1, r0, c
STORE_TENSOR y, r1
)";

class ModelFileTest : public ::testing::Test {
 protected:
  ModelFileTest() {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("pliant_model_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  ~ModelFileTest() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }

 private:
  std::filesystem::path folder_;
};

void expect_scales(const Model& model) {
  auto session = Session::create(model);
  ASSERT_TRUE(session);
  EXPECT_THAT(float_values(testing::run(*session, {{"x", floats({1, 2}, {1, 1})}})[0]),
              ElementsAre(2, 3));
}

TEST_F(ModelFileTest, DescribesItsInputsAndOutputs) {
  auto model = Model::from_assembly(kScaling, "test.pasm");
  ASSERT_TRUE(model) << model.error().to_string();
  ASSERT_EQ(model->inputs().size(), 1u);
  const InputInfo& x = model->inputs()[0];
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.dtype, DType::kF32);
  ASSERT_EQ(x.shape.size(), 2u);
  EXPECT_EQ(x.shape[0].symbol, "n");
  EXPECT_FALSE(x.shape[0].extent);
  EXPECT_EQ(x.shape[1].extent, 2);
  EXPECT_EQ(model->outputs()[0].name, "y");
  EXPECT_EQ(model->instruction_count(), 3u);
  EXPECT_EQ(model->constant_bytes(), 8u);
}

TEST_F(ModelFileTest, SaysOfOutputsWhatFollowsFromTheProgram) {
  auto model = Model::from_assembly(R"(
.input x f32[n, 2]
.output fixed
.output same
.output sum
.output counted
LOAD_TENSOR r0, x
REDUCE_SUM r1, r0, axis=0
STORE_TENSOR fixed, r1
STORE_TENSOR same, r0
CONCAT r2, [r0, r0], axis=0
STORE_TENSOR sum, r2
NON_ZERO r3, r0
STORE_TENSOR counted, r3
)",
                                    "test.pasm");
  ASSERT_TRUE(model) << model.error().to_string();
  const std::vector<OutputInfo>& outputs = model->outputs();
  EXPECT_EQ(outputs[0].name, "fixed");
  EXPECT_EQ(outputs[0].dtype, DType::kF32);
  ASSERT_TRUE(outputs[0].rank_known);
  EXPECT_EQ(outputs[0].shape.back().extent, 2);
  EXPECT_EQ(outputs[1].shape[0].symbol, "n");
  EXPECT_FALSE(outputs[1].shape[0].extent);
  EXPECT_THAT(outputs[2].shape[0].symbol, HasSubstr("n"));
  EXPECT_EQ(outputs[2].shape[1].extent, 2);
  EXPECT_EQ(outputs[3].dtype, DType::kI64);
  ASSERT_EQ(outputs[3].shape.size(), 2u);
  EXPECT_EQ(outputs[3].shape[0].extent, 2);
  EXPECT_EQ(outputs[3].shape[1].symbol, "");  // how many are not zero shows when it runs
  EXPECT_FALSE(outputs[3].shape[1].extent);
}

TEST_F(ModelFileTest, AnOutputOfTwoPathsIsWhatBothAgreeOn) {
  auto model = Model::from_assembly(R"(
.input x f32[n, 2]
.input choice bool[]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, choice
BRANCH_IF r1, @other
STORE_TENSOR y, r0
HALT
@other:
CONCAT r2, [r0, r0], axis=0
STORE_TENSOR y, r2
)",
                                    "test.pasm");
  ASSERT_TRUE(model) << model.error().to_string();
  const OutputInfo& y = model->outputs()[0];
  EXPECT_EQ(y.dtype, DType::kF32);
  ASSERT_EQ(y.shape.size(), 2u);
  EXPECT_EQ(y.shape[0].symbol, "");
  EXPECT_EQ(y.shape[1].extent, 2);
}

TEST_F(ModelFileTest, IsTheSameThroughBytecodeAndText) {
  write("m.pasm", kScaling);
  auto model = Model::load(path("m.pasm"));
  ASSERT_TRUE(model) << model.error().to_string();
  expect_scales(*model);
  ASSERT_TRUE(model->save(path("m.pbc"), Model::Existing::kRefuse));
  auto loaded = Model::load(path("m.pbc"));
  ASSERT_TRUE(loaded) << loaded.error().to_string();
  expect_scales(*loaded);
  auto printed = Model::from_assembly(loaded->to_assembly(), "printed.pasm");
  ASSERT_TRUE(printed) << printed.error().to_string();
  expect_scales(*printed);
}

TEST_F(ModelFileTest, IsNotReplacedUnlessAskedTo) {
  auto model = Model::from_assembly(kScaling, "test.pasm");
  ASSERT_TRUE(model);
  write("m.pbc", "precious");
  EXPECT_FALSE(model->save(path("m.pbc"), Model::Existing::kRefuse));
  EXPECT_EQ(std::filesystem::file_size(path("m.pbc")), 8u);
  EXPECT_TRUE(model->save(path("m.pbc"), Model::Existing::kReplace));
  EXPECT_TRUE(Model::load(path("m.pbc")));
}

TEST_F(ModelFileTest, ErrorsNameTheFileAndThePlace) {
  EXPECT_EQ(Model::load(path("missing.pasm")).error().code, ErrorCode::kIo);
  EXPECT_EQ(Model::load(path("missing.pbc")).error().code, ErrorCode::kIo);
  EXPECT_EQ(Model::load(path("missing.onnx")).error().code, ErrorCode::kIo);
  EXPECT_EQ(Model::load(path("model.txt")).error().code, ErrorCode::kInvalidArgument);
  write("bad.pasm", ".output y\nNO_SUCH r0\n");
  const auto bad = Model::load(path("bad.pasm"));
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::kSyntax);
  EXPECT_THAT(bad.error().where, HasSubstr("bad.pasm:2:1"));
  write("bad.pbc", "this is not bytecode");
  EXPECT_EQ(Model::load(path("bad.pbc")).error().code, ErrorCode::kCorrupt);
  write("bad.onnx", "this is not a model");
  EXPECT_FALSE(Model::load(path("bad.onnx")));
}

TEST_F(ModelFileTest, AProgramThatDoesNotVerifyIsRefused) {
  const auto model =
      Model::from_assembly(".output y\nELEMENTWISE_NEG r1, r0\nSTORE_TENSOR y, r1\n", "test.pasm");
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().where, HasSubstr("test.pasm:2"));
}

}  // namespace
}  // namespace pliant
