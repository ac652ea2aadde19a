#include "onnx/importer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/info.h"
#include "support/onnx_model.h"

namespace pliant::onnx {
namespace {

using ::pliant::testing::OnnxAttribute;
using ::pliant::testing::OnnxModel;
using ::pliant::testing::OnnxTensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Result<Program> import(const OnnxModel& model) {
  return import_bytes(model.bytes(), "model");
}

std::vector<std::string_view> mnemonics(const Program& program) {
  std::vector<std::string_view> words;
  for (const isa::Instruction& instruction : program.instructions) {
    words.push_back(isa::info(instruction.opcode).mnemonic);
  }
  return words;
}

std::string error_of(const OnnxModel& model) {
  const auto program = import(model);
  return program ? "imported" : program.error().to_string();
}

/// x + x, under any further declarations.
OnnxModel doubling(int opset = 17) {
  OnnxModel model(opset);
  model.output("y").node("Add", {"x", "x"}, {"y"});
  return model;
}

TEST(Importer, TurnsNodesIntoInstructionsWithTheirOrigin) {
  const auto program =
      import(OnnxModel()
                 .input("x", {"n", 4})
                 .output("y")
                 .initialiser("w", OnnxTensor::f32({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}))
                 .node("MatMul", {"x", "w"}, {"h"}, {}, "", "dense")
                 .node("Relu", {"h"}, {"y"}));
  ASSERT_TRUE(program) << program.error().to_string();
  EXPECT_THAT(mnemonics(*program),
              ElementsAre("LOAD_TENSOR", "MATMUL", "ELEMENTWISE_RELU", "STORE_TENSOR"));
  EXPECT_EQ(program->describe(1), "node 'dense' (MatMul)");
  EXPECT_EQ(program->describe(2), "node of 'y' (Relu)");
  EXPECT_THAT(program->symbols, ElementsAre("n"));
}

TEST(Importer, TakesSymbolNamesAsTheyAre) {
  const auto program =
      import(doubling().input("x", {"DynamicDimension.0", "", std::int64_t{-1}, "a b", "batch×2"}));
  ASSERT_TRUE(program) << program.error().to_string();
  EXPECT_THAT(program->symbols, ElementsAre("DynamicDimension.0", "x.1", "x.2", "a b", "batch×2"));
}

TEST(Importer, NeverUnifiesAnUnnamedAxisWithANamedOne) {
  const auto program = import(doubling().input("x", {"", "x.0"}));
  ASSERT_TRUE(program) << program.error().to_string();
  EXPECT_THAT(program->symbols, ElementsAre("x.0_", "x.0"));
}

TEST(Importer, MakesOneSymbolOfOneNameOnTwoInputs) {
  const auto program = import(
      OnnxModel().input("a", {"n"}).input("b", {"n"}).output("y").node("Add", {"a", "b"}, {"y"}));
  ASSERT_TRUE(program) << program.error().to_string();
  EXPECT_THAT(program->symbols, ElementsAre("n"));
  EXPECT_EQ(program->inputs[0].shape, program->inputs[1].shape);
}

TEST(Importer, AcceptsAnInputOfAnyRank) {
  const auto program = import(doubling().input_of_any_rank("x"));
  ASSERT_TRUE(program) << program.error().to_string();
  EXPECT_FALSE(program->inputs[0].rank_known);
}

TEST(Importer, SortsNodes) {
  const auto program = import(OnnxModel()
                                  .input("x", {"n"})
                                  .output("y")
                                  .node("Exp", {"h"}, {"y"})
                                  .node("Neg", {"x"}, {"h"}));
  ASSERT_TRUE(program) << program.error().to_string();
  EXPECT_THAT(mnemonics(*program),
              ElementsAre("LOAD_TENSOR", "ELEMENTWISE_NEG", "ELEMENTWISE_EXP", "STORE_TENSOR"));
}

TEST(Importer, RefusesCyclesAndNamesThatAreTakenOrMissing) {
  EXPECT_THAT(error_of(OnnxModel().output("a").node("Neg", {"b"}, {"a"}).node("Neg", {"a"}, {"b"})),
              HasSubstr("in a cycle"));
  EXPECT_THAT(error_of(doubling().input("x", {"n"}).node("Neg", {"x"}, {"y"})),
              HasSubstr("two nodes write one name: 'y'"));
  EXPECT_THAT(error_of(doubling().input("x", {"n"}).input("x", {"n"})),
              HasSubstr("two inputs have one name"));
  EXPECT_THAT(error_of(doubling().input("x", {"n"}).input("y", {"n"})),
              HasSubstr("a name that is taken: 'y'"));
  EXPECT_THAT(error_of(doubling()), HasSubstr("gives the value 'x'"));
  EXPECT_THAT(error_of(doubling().input("x", {"n"}).output("z")), HasSubstr("gives the value 'z'"));
  EXPECT_THAT(error_of(doubling().input("x", {"n"}).output("y")),
              HasSubstr("two outputs have one name: 'y'"));
}

TEST(Importer, ListsAllOperatorsThatAreMissing) {
  const std::string error = error_of(doubling()
                                         .input("x", {"n"})
                                         .node("Frobnicate", {"x"}, {"a"})
                                         .node("Frobnicate", {"a"}, {"b"})
                                         .node("FusedConv", {"a"}, {"c"}, {}, "com.microsoft"));
  EXPECT_THAT(error, HasSubstr("Frobnicate: 2, com.microsoft.FusedConv: 1"));
  EXPECT_THAT(error_of(doubling(24).input("x", {"n"})),
              HasSubstr("Add of opset 24 (supported: 7 to 23): 1"));
  EXPECT_THAT(error_of(doubling(6).input("x", {"n"})),
              HasSubstr("Add of opset 6 (supported: 7 to 23): 1"));
}

TEST(Importer, IgnoresUnusedDomainsAndUnknownFields) {
  const auto program = import(doubling()
                                  .input("x", {"n"})
                                  .operator_set("com.ms.internal.nhwc", 21)
                                  .operator_set("org.pytorch.aten", 1)
                                  .model_field(14, "metadata")
                                  .model_field(999, "from the future")
                                  .graph_field(998, "from the future"));
  EXPECT_TRUE(program) << program.error().to_string();
}

TEST(Importer, TakesTheSpelledOutNameOfTheDefaultDomain) {
  OnnxModel model;
  model.input("x", {"n"}).output("y").node("Neg", {"x"}, {"y"}, {}, "ai.onnx");
  EXPECT_TRUE(import(model));
}

TEST(Importer, KeepsNamesAsBytes) {
  const std::string name = "{\"1\": \"1_minute\xff\xfe\"}";
  OnnxModel model;
  model.input("x", {"n"}).output(name).node("Neg", {"x"}, {name});
  const auto program = import(model);
  ASSERT_TRUE(program) << program.error().to_string();
  EXPECT_EQ(program->outputs[0].name, name);
}

TEST(Importer, MakesAnInitialiserThatIsAnInputItsDefault) {
  const auto model = [](int ir_version) {
    OnnxModel made(17, ir_version);
    made.input("x", {"n"}).input("w", {std::int64_t{1}}).output("y");
    made.initialiser("w", OnnxTensor::f32({1}, {2})).node("Mul", {"x", "w"}, {"y"});
    return made;
  };
  const auto overridable = import(model(8));
  ASSERT_TRUE(overridable) << overridable.error().to_string();
  ASSERT_EQ(overridable->inputs.size(), 2u);
  EXPECT_TRUE(overridable->inputs[1].default_constant.has_value());
  const auto constant = import(model(3));
  ASSERT_TRUE(constant) << constant.error().to_string();
  EXPECT_EQ(constant->inputs.size(), 1u);
}

TEST(Importer, RefusesADefaultThatDoesNotFitItsInput) {
  EXPECT_THAT(
      error_of(
          doubling().input("x", {std::int64_t{3}}).initialiser("x", OnnxTensor::f32({2}, {1, 2}))),
      HasSubstr("does not fit the input of its name: f32 [2]"));
}

TEST(Importer, ReadsMissingInputsAsAbsent) {
  const auto program = import(OnnxModel()
                                  .input("x", {"n"})
                                  .output("y")
                                  .initialiser("high", OnnxTensor::f32({}, {6}))
                                  .node("Clip", {"x", "", "high"}, {"h"})
                                  .node("Clip", {"h", "", ""}, {"y"}));
  ASSERT_TRUE(program) << program.error().to_string();
  const isa::Instruction& clip = program->instructions[1];
  EXPECT_FALSE(clip.operands[isa::ElementwiseClip::low].given());
  EXPECT_TRUE(clip.operands[isa::ElementwiseClip::high].given());
  EXPECT_FALSE(program->instructions[2].operands[isa::ElementwiseClip::high].given());
}

TEST(Importer, NamesTheNodeThatLacksAnInputOrAnAttribute) {
  OnnxModel no_input;
  no_input.input("x", {"n"}).output("y").node("Add", {"x", ""}, {"y"}, {}, "", "sum");
  EXPECT_THAT(error_of(no_input),
              HasSubstr("Add: a required input is missing: number 1 (model: node 'sum' (Add))"));
  OnnxModel no_axis;
  no_axis.input("x", {"n"}).output("y").node("Concat", {"x", "x"}, {"y"});
  EXPECT_THAT(error_of(no_axis), HasSubstr("a required attribute is missing: axis"));
}

TEST(Importer, RefusesShapesThatCannotFit) {
  OnnxModel model;
  model.input("x", {7, 6, 1, 5}).input("w", {}).output("y").node("Conv", {"x", "w"}, {"y"});
  EXPECT_THAT(error_of(model), HasSubstr("(Conv)"));
  OnnxModel gemm;
  gemm.input("a", {2, 3, 4}).input("b", {4, 5}).output("y").node("Gemm", {"a", "b"}, {"y"});
  EXPECT_THAT(error_of(gemm), HasSubstr("an input is not a matrix"));
}

TEST(Importer, InlinesFunctionsWithTheirAttributes) {
  OnnxModel body(17);
  body.node("LeakyRelu", {"a"}, {"h"}, {OnnxAttribute{"alpha", 0.0f, "slope"}})
      .node("Neg", {"h"}, {"b"}, {}, "", "inner");
  OnnxModel model;
  model.input("x", {"n"}).output("y").operator_set("mine", 1);
  model.function("mine", "Block", {"a"}, {"b"}, body);
  model.node("Block", {"x"}, {"h"}, {{"slope", 0.25f, {}}}, "mine", "outer")
      .node("Block", {"h"}, {"y"}, {}, "mine");
  const auto program = import(model);
  ASSERT_TRUE(program) << program.error().to_string();
  EXPECT_THAT(mnemonics(*program),
              ElementsAre("LOAD_TENSOR", "ELEMENTWISE_LEAKY_RELU", "ELEMENTWISE_NEG",
                          "ELEMENTWISE_LEAKY_RELU", "ELEMENTWISE_NEG", "STORE_TENSOR"));
  EXPECT_EQ(program->instructions[1].operands[isa::ElementwiseLeakyRelu::alpha].real, 0.25);
  EXPECT_EQ(program->instructions[3].operands[isa::ElementwiseLeakyRelu::alpha].real, 0.01);
  EXPECT_EQ(program->describe(2), "node 'outer' (Block) / node 'inner' (Neg)");
}

TEST(Importer, LimitsHowDeepAndHowFarFunctionsExpand) {
  OnnxModel endless(17);
  endless.node("Endless", {"a"}, {"b"}, {}, "mine");
  OnnxModel model;
  model.input("x", {"n"}).output("y").operator_set("mine", 1);
  model.function("mine", "Endless", {"a"}, {"b"}, endless)
      .node("Endless", {"x"}, {"y"}, {}, "mine");
  EXPECT_THAT(error_of(model), HasSubstr("more than 64 deep"));

  OnnxModel wide;
  wide.input("x", {"n"}).output("y").operator_set("mine", 1);
  std::string inner = "Neg";
  for (int level = 0; level < 30; ++level) {  // 2^30 nodes
    const std::string name = "Level" + std::to_string(level);
    OnnxModel body(17);
    const std::string domain = level == 0 ? "" : "mine";
    body.node(inner, {"a"}, {"h"}, {}, domain).node(inner, {"h"}, {"b"}, {}, domain);
    wide.function("mine", name, {"a"}, {"b"}, body);
    inner = name;
  }
  wide.node(inner, {"x"}, {"y"}, {}, "mine");
  EXPECT_THAT(error_of(wide), HasSubstr("functions expand to more than"));
}

TEST(Importer, RefusesWhatIsNotAModel) {
  EXPECT_EQ(import_bytes("", "empty").error().to_string(),
            "corrupt data: not an ONNX model, or a damaged one (empty)");
  EXPECT_THAT(import_bytes("#!/bin/sh\necho hello\n", "script").error().to_string(),
              HasSubstr("not an ONNX model"));
  const std::string whole = doubling().input("x", {"n"}).bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    (void)import_bytes(std::string_view(whole).substr(0, size), "cut");  // any outcome but a crash
  }
  EXPECT_THAT(import_file("/nowhere/model.onnx").error().to_string(),
              HasSubstr("cannot open file"));
}

TEST(Importer, SaysWhatItDoesNotSupport) {
  OnnxModel sparse = doubling().input("x", {"n"});
  sparse.graph_field(15, "");
  EXPECT_THAT(error_of(sparse), HasSubstr("sparse initialisers are not supported"));
  OnnxModel texts = doubling().input("x", {"n"}, 8);
  EXPECT_THAT(error_of(texts),
              HasSubstr("element type string is not supported (model: input 'x')"));
  OnnxModel unused = doubling().input("x", {"n"}).initialiser("words", OnnxTensor{8, {1}, {}});
  EXPECT_THAT(error_of(unused), Not(HasSubstr("string")));
  OnnxModel deep = doubling().input("x", {1, 1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_THAT(error_of(deep), HasSubstr("more than 8 axes: 9"));
}

}  // namespace
}  // namespace pliant::onnx
