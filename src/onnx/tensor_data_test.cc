#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "onnx/importer.h"
#include "support/onnx_model.h"
#include "support/protobuf_wire.h"

// Constants of models, seen through the importer: what bytes of a file become.

namespace pliant::onnx {
namespace {

using ::pliant::testing::OnnxModel;
using ::pliant::testing::WireWriter;
using ::testing::HasSubstr;

constexpr int kF32 = 1, kI8 = 3, kI64 = 7, kBool = 9, kF16 = 10, kU64 = 13;
constexpr int kFloats = 4, kInts = 5, kLongs = 7, kUnsigned = 11, kRaw = 9;

WireWriter tensor(int type, const std::vector<std::int64_t>& shape) {
  WireWriter writer;
  for (const std::int64_t extent : shape) {
    writer.integer(1, static_cast<std::uint64_t>(extent));
  }
  writer.integer(2, static_cast<std::uint64_t>(type)).bytes(8, "w");
  return writer;
}

Result<Program> import(const WireWriter& constant) {
  OnnxModel model;
  model.output("y").initialiser_message(constant.result()).node("Identity", {"w"}, {"y"});
  return import_bytes(model.bytes(), "model");
}

template <class T>
std::vector<T> elements(const WireWriter& constant) {
  const auto program = import(constant);
  if (!program) {
    ADD_FAILURE() << program.error().to_string();
    return {};
  }
  const TensorView& view = program->constants[0].value.view;
  std::vector<T> values(static_cast<std::size_t>(view.element_count()));
  if (!values.empty()) {
    std::memcpy(values.data(), view.data, values.size() * sizeof(T));
  }
  return values;
}

std::string error_of(const WireWriter& constant) {
  const auto program = import(constant);
  return program ? "imported" : program.error().to_string();
}

TEST(TensorData, ReadsEveryWayToStoreElements) {
  EXPECT_EQ(elements<float>(tensor(kF32, {2}).real(kFloats, 1.5f).real(kFloats, -2)),
            (std::vector<float>{1.5f, -2}));
  EXPECT_EQ(elements<std::int8_t>(tensor(kI8, {1}).integer(kInts, static_cast<std::uint64_t>(-3))),
            std::vector<std::int8_t>{-3});
  EXPECT_EQ(elements<std::uint16_t>(tensor(kF16, {1}).integer(kInts, 0x3c00)),
            std::vector<std::uint16_t>{0x3c00});
  EXPECT_EQ(elements<std::uint8_t>(tensor(kBool, {2}).integer(kInts, 1).integer(kInts, 0)),
            (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(elements<std::int64_t>(tensor(kI64, {1}).integer(kLongs, 1ull << 40)),
            std::vector<std::int64_t>{1ll << 40});
  EXPECT_EQ(elements<std::uint64_t>(tensor(kU64, {1}).integer(kUnsigned, UINT64_MAX)),
            std::vector<std::uint64_t>{UINT64_MAX});
}

TEST(TensorData, ReadsScalarsAndEmptyTensors) {
  EXPECT_EQ(elements<float>(tensor(kF32, {}).real(kFloats, 7)), std::vector<float>{7});
  EXPECT_TRUE(elements<float>(tensor(kF32, {0, 4})).empty());
  EXPECT_TRUE(elements<float>(tensor(kF32, {3, 0}).bytes(kRaw, "")).empty());
}

TEST(TensorData, MakesBoolsZeroOrOne) {
  EXPECT_EQ(elements<std::uint8_t>(tensor(kBool, {3}).bytes(kRaw, std::string("\x00\x01\xff", 3))),
            (std::vector<std::uint8_t>{0, 1, 1}));
}

TEST(TensorData, RefusesDataThatDoesNotFit) {
  for (const std::size_t size : {15u, 17u}) {
    EXPECT_THAT(error_of(tensor(kF32, {4}).bytes(kRaw, std::string(size, 'x'))),
                HasSubstr("raw_data does not fit the tensor's shape and type: found " +
                          std::to_string(size) + ", expected 16"));
  }
  EXPECT_THAT(error_of(tensor(kF32, {2}).real(kFloats, 1)), HasSubstr("float_data does not fit"));
  EXPECT_THAT(error_of(tensor(kF32, {1}).real(kFloats, 1).bytes(kRaw, "1234")),
              HasSubstr("both raw_data and a list"));
  EXPECT_THAT(error_of(tensor(kF32, {-1})), HasSubstr("negative extent: -1"));
  EXPECT_THAT(error_of(tensor(kF32, {INT64_MAX, INT64_MAX})), HasSubstr("too large"));
  EXPECT_THAT(error_of(tensor(kF32, {1ll << 44})), HasSubstr("does not fit"));
}

TEST(TensorData, NamesElementTypesThatAreNotSupported) {
  EXPECT_THAT(error_of(tensor(22, {5}).bytes(kRaw, "abc")),
              HasSubstr("element type int4 is not supported"));
  EXPECT_THAT(error_of(tensor(8, {1})), HasSubstr("element type string is not supported"));
  EXPECT_THAT(error_of(tensor(99, {1})), HasSubstr("unknown element type: 99"));
}

}  // namespace
}  // namespace pliant::onnx
