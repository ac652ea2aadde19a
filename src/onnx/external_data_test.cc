#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "onnx/importer.h"
#include "support/onnx_model.h"
#include "support/protobuf_wire.h"

// Models whose weights lie in other files. The model is not trusted.

namespace pliant::onnx {
namespace {

namespace fs = std::filesystem;
using ::pliant::testing::OnnxModel;
using ::pliant::testing::WireWriter;
using ::testing::HasSubstr;

class ExternalDataTest : public ::testing::Test {
 protected:
  ExternalDataTest() {
    std::string name = (fs::temp_directory_path() / "pliant_external_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    fs::create_directories(folder_ / "model" / "part");
    write(folder_ / "secret.bin", std::string(16, 's'));
    write(folder_ / "model" / "weights.bin", std::string(16, '\0') + std::string(16, '?'));
  }
  ~ExternalDataTest() override { fs::remove_all(folder_); }

  static void write(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  /// y = w, an f32 [4] that lies elsewhere; returns the error, or "imported".
  std::string import(const std::vector<std::pair<std::string, std::string>>& entries) {
    WireWriter tensor;
    tensor.integer(1, 4).integer(2, 1).bytes(8, "w").integer(14, 1);
    for (const auto& [key, value] : entries) {
      WireWriter entry;
      entry.bytes(1, key).bytes(2, value);
      tensor.bytes(13, entry.result());
    }
    OnnxModel model;
    model.output("y").initialiser_message(tensor.result()).node("Identity", {"w"}, {"y"});
    const std::string path = (folder_ / "model" / "model.onnx").string();
    write(path, model.bytes());
    program_ = import_file(path);
    return program_ ? "imported" : program_.error().to_string();
  }

  fs::path folder_;
  Result<Program> program_ = Error{};
};

TEST_F(ExternalDataTest, MapsAPartOfAFile) {
  ASSERT_EQ(import({{"location", "weights.bin"}, {"offset", "16"}, {"length", "16"}}), "imported");
  const TensorView& view = program_->constants[0].value.view;
  EXPECT_EQ(std::string(view.as<char>(), 16), std::string(16, '?'));
  ASSERT_EQ(import({{"location", "./weights.bin"}, {"offset", "16"}}), "imported");
}

TEST_F(ExternalDataTest, CopiesWhatIsNotAligned) {
  ASSERT_EQ(import({{"location", "weights.bin"}, {"offset", "9"}, {"length", "16"}}), "imported");
  EXPECT_EQ(std::string(program_->constants[0].value.view.as<char>() + 7, 9), std::string(9, '?'));
}

TEST_F(ExternalDataTest, ChecksOffsetAndLength) {
  EXPECT_THAT(import({{"location", "weights.bin"}, {"offset", "17"}, {"length", "16"}}),
              HasSubstr("pass the end of"));
  EXPECT_THAT(import({{"location", "weights.bin"}, {"length", "99999999999999"}}),
              HasSubstr("pass the end of"));
  EXPECT_THAT(
      import({{"location", "weights.bin"}, {"offset", "18446744073709551615"}, {"length", "2"}}),
      HasSubstr("pass the end of"));
  EXPECT_THAT(import({{"location", "weights.bin"}, {"offset", "-1"}}),
              HasSubstr("offset is not a number: '-1'"));
  EXPECT_THAT(import({{"location", "weights.bin"}, {"length", "many"}}),
              HasSubstr("length is not a number"));
  EXPECT_THAT(import({{"location", "weights.bin"}}), HasSubstr("found 32, expected 16"));
  EXPECT_EQ(
      import(
          {{"location", "weights.bin"}, {"length", "16"}, {"__class__", "x"}, {"checksum", "0"}}),
      "imported");
}

TEST_F(ExternalDataTest, RefusesWhatIsNotInTheModelsFolder) {
  fs::create_symlink(folder_ / "secret.bin", folder_ / "model" / "link.bin");
  fs::create_directory_symlink(folder_, folder_ / "model" / "up");
  for (const char* location :
       {"../secret.bin", "part/../../secret.bin", "/etc/hostname", "//etc/hostname", "C:\\x",
        "file:///etc/hostname", "", ".", "part", "link.bin", "up/secret.bin", "/dev/zero",
        "/proc/self/environ", "missing.bin"}) {
    EXPECT_THAT(import({{"location", location}}), HasSubstr("external data: ")) << location;
  }
  EXPECT_THAT(import({{"location", std::string("a\0b", 3)}}), HasSubstr("zero byte"));
  EXPECT_THAT(import({{"location", std::string(300, 'a')}}), HasSubstr("external data: "));
  EXPECT_THAT(import({}), HasSubstr("location is empty"));
}

TEST_F(ExternalDataTest, RefusesAPipeWithoutWaiting) {
  ASSERT_EQ(::mkfifo((folder_ / "model" / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(import({{"location", "pipe"}}), HasSubstr("not a regular file"));
}

TEST_F(ExternalDataTest, FollowsLinksOfADownloadCache) {
  fs::create_directories(folder_ / "store");
  ASSERT_EQ(import({{"location", "weights.bin"}, {"length", "16"}}), "imported");
  fs::rename(folder_ / "model" / "model.onnx", folder_ / "store" / "a1");
  fs::rename(folder_ / "model" / "weights.bin", folder_ / "store" / "b2");
  fs::create_symlink("../store/a1", folder_ / "model" / "model.onnx");
  fs::create_symlink("../store/b2", folder_ / "model" / "weights.bin");
  const auto program = import_file((folder_ / "model" / "model.onnx").string());
  EXPECT_TRUE(program) << program.error().to_string();
}

TEST_F(ExternalDataTest, IsRefusedForAModelInMemory) {
  WireWriter tensor;
  tensor.integer(1, 4).integer(2, 1).bytes(8, "w").integer(14, 1);
  OnnxModel model;
  model.output("y").initialiser_message(tensor.result()).node("Identity", {"w"}, {"y"});
  EXPECT_THAT(import_bytes(model.bytes(), "memory").error().to_string(),
              HasSubstr("load it from its file"));
}

}  // namespace
}  // namespace pliant::onnx
