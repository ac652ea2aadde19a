#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>
#include <string>

#include "bytecode/format.h"
#include "bytecode/reader.h"
#include "bytecode/writer.h"
#include "program/builder.h"
#include "text/assembler.h"
#include "text/printer.h"

// Reader and writer are two halves of one promise, so they are tested together.

namespace pliant::bytecode {
namespace {

using testing::HasSubstr;

Program assembled(std::string_view text) {
  Diagnostics diagnostics;
  auto program = text::assemble(text, "test.pasm", diagnostics);
  EXPECT_TRUE(program.has_value()) << diagnostics.render(text);
  return program ? std::move(*program) : Program();
}

/// Aligned as a mapped file is; alive as long as a program needs it.
struct AlignedBytes {
  explicit AlignedBytes(std::span<const std::byte> source)
      : size(source.size()), data(new (std::align_val_t{64}) std::byte[source.size() + 1]) {
    std::copy(source.begin(), source.end(), data);
  }
  AlignedBytes(const AlignedBytes&) = delete;
  AlignedBytes& operator=(const AlignedBytes&) = delete;
  ~AlignedBytes() { ::operator delete[](data, std::align_val_t{64}); }
  std::size_t size;
  std::byte* data;
};

Result<Program> read_copy(std::span<const std::byte> bytes) {
  auto owner = std::make_shared<const AlignedBytes>(bytes);
  return read({owner->data, owner->size}, owner);
}

constexpr std::string_view kProgram = R"(.dim batch
.const zero f32[1, 1, 4] = full(0)
.const weights f32[4, 2] = seeded(7)
.const flags bool[3] = {true, false, true}
.const empty f16[0, 3] = {}
.input "x:0" f32[batch, seq, 4] = zero
.input ids i64[...]
.output y
LOAD_TENSOR r0, "x:0"
MATMUL r1, r0, weights, transpose_lhs=false
QUERY_SHAPE r2, r1.dim(-1)
READ_SIZE r3, r9[2]
LSTM r4, _, r5, r0, weights, weights, clip=0.5, activations=[tanh, relu]
CAST r6, r1, to=f16
@again:
LOOP_BEGIN r7, batch, @done
BRANCH_ON_SHAPE r2, <=, -5, @done
RESHAPE r8, r1, [batch, r2, -1]
LOOP_END @again
@done:
STORE_TENSOR y, r1
)";

TEST(Bytecode, RoundTripKeepsTheProgram) {
  const Program program = assembled(kProgram);
  const auto bytes = write(program);
  const auto back = read_copy(bytes);
  ASSERT_TRUE(back.has_value()) << back.error().to_string();
  EXPECT_EQ(text::print(*back), text::print(program));
  EXPECT_EQ(back->instructions, program.instructions);
  EXPECT_EQ(back->source, "test.pasm");
  EXPECT_EQ(back->describe(0), "test.pasm:9:1");
  EXPECT_EQ(write(*back), bytes);
}

TEST(Bytecode, KeepsOrigins) {
  Builder builder("model.onnx");
  builder.set_origin("node 'a' (Neg)");
  builder.emit(isa::Opcode::kHalt, {});
  builder.emit(isa::Opcode::kHalt, {});
  builder.set_origin("node 'b' (Neg)");
  builder.emit(isa::Opcode::kHalt, {});
  const auto back = read_copy(write(builder.program()));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->describe(1), "node 'a' (Neg)");
  EXPECT_EQ(back->describe(2), "node 'b' (Neg)");
}

TEST(Bytecode, ConstantsAreViewsIntoTheBytes) {
  const auto owner = std::make_shared<const AlignedBytes>(write(assembled(kProgram)));
  const auto program = read({owner->data, owner->size}, owner);
  ASSERT_TRUE(program.has_value());
  const auto* data = program->constants[1].value.view.as<const std::byte>();
  EXPECT_GE(data, owner->data);
  EXPECT_LT(data, owner->data + owner->size);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % kAlignment, 0u);
  EXPECT_TRUE(program->constants[1].value.is_constant());
}

TEST(Bytecode, ConstantsOfUnalignedBytesAreCopied) {
  const auto bytes = write(assembled(kProgram));
  std::vector<std::byte> shifted(bytes.size() + 65);
  const auto address = reinterpret_cast<std::uintptr_t>(shifted.data());
  std::byte* start = shifted.data() + (64 - address % 64) % 64 + 1;
  std::copy(bytes.begin(), bytes.end(), start);
  const auto program = read({start, bytes.size()}, nullptr);
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(program->constants[1].value.view.data) % 64, 0u);
  EXPECT_EQ(text::print(*program), text::print(assembled(kProgram)));
}

TEST(Bytecode, SharedConstantBytesAreStoredOnce) {
  Program program = assembled(".const a f32[1024] = full(1)\n");
  program.constants.push_back(program.constants[0]);
  program.constants[1].name = "b";
  EXPECT_LT(write(program).size(), 2 * 4096u);
  const auto back = read_copy(write(program));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->constants[0].value.view.data, back->constants[1].value.view.data);
}

TEST(Bytecode, EveryPrefixIsRefused) {
  const auto bytes = write(assembled(kProgram));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto program = read_copy(std::span(bytes).first(size));
    ASSERT_FALSE(program.has_value()) << size;
    EXPECT_EQ(program.error().code, ErrorCode::kCorrupt);
    EXPECT_FALSE(program.error().where.empty());
  }
}

TEST(Bytecode, EveryChangedByteOfTheDescriptionIsNoticed) {
  const auto bytes = write(assembled(kProgram));
  Header header{};
  std::memcpy(&header, bytes.data(), sizeof(header));
  for (std::size_t i = 0; i < header.description_bytes; ++i) {
    auto changed = bytes;
    changed[sizeof(Header) + i] ^= std::byte{0x10};
    EXPECT_FALSE(read_copy(changed).has_value());
  }
}

TEST(Bytecode, AnyByteIsSafeWithoutChecksum) {
  auto bytes = write(assembled(kProgram));
  std::memset(bytes.data() + offsetof(Header, checksum), 0, sizeof(std::uint64_t));
  ASSERT_TRUE(read_copy(bytes).has_value());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
      auto changed = bytes;
      changed[i] = static_cast<std::byte>(value);
      const auto program = read_copy(changed);
      if (program) {
        EXPECT_FALSE(text::print(*program).empty());
      }
    }
  }
}

TEST(Bytecode, NewerVersionIsNamed) {
  auto bytes = write(assembled("HALT\n"));
  bytes[offsetof(Header, version)] = std::byte{99};
  const auto program = read_copy(bytes);
  ASSERT_FALSE(program.has_value());
  EXPECT_EQ(program.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(program.error().message, HasSubstr("version 99 is newer"));
}

class BytecodeFile : public testing::Test {
 protected:
  BytecodeFile() {
    std::string pattern = testing::TempDir() + "pliant_bytecode_XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~BytecodeFile() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const char* name) const { return folder_ + "/" + name; }
  [[nodiscard]] std::size_t file_count() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::string folder_;
};

TEST_F(BytecodeFile, IsMappedAndOutlivesItsName) {
  const Program program = assembled(kProgram);
  ASSERT_TRUE(write_file(program, path("a.pbc"), Existing::kRefuse).has_value());
  const auto back = read_file(path("a.pbc"));
  ASSERT_TRUE(back.has_value()) << back.error().to_string();
  std::filesystem::remove(path("a.pbc"));
  EXPECT_EQ(text::print(*back), text::print(program));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(back->constants[1].value.view.data) % 64, 0u);
}

TEST_F(BytecodeFile, ExistingFileIsRefusedOrReplaced) {
  const Program program = assembled("HALT\n");
  std::ofstream(path("a.pbc")) << "precious";
  const Status refused = write_file(program, path("a.pbc"), Existing::kRefuse);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(read_file(path("a.pbc")).has_value());
  // A mapped program keeps its bytes when the file is replaced under it.
  ASSERT_TRUE(write_file(program, path("a.pbc"), Existing::kReplace).has_value());
  EXPECT_TRUE(read_file(path("a.pbc")).has_value());
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(BytecodeFile, FailureLeavesNothingBehind) {
  const Program program = assembled(kProgram);
  const Status missing = write_file(program, path("no/such/a.pbc"), Existing::kRefuse);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
  EXPECT_THAT(missing.error().message, HasSubstr("No such file"));
  const Status device = write_file(program, "/dev/full", Existing::kReplace);
  ASSERT_FALSE(device.has_value());
  EXPECT_THAT(device.error().message, HasSubstr("not a regular file"));
  EXPECT_EQ(file_count(), 0u);
}

TEST_F(BytecodeFile, UnreadableFilesAreNamed) {
  EXPECT_EQ(read_file(path("none.pbc")).error().code, ErrorCode::kIo);
  EXPECT_EQ(read_file(folder_).error().code, ErrorCode::kIo);
  std::ofstream(path("empty.pbc")).close();
  EXPECT_EQ(read_file(path("empty.pbc")).error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(read_file(path("empty.pbc")).error().where, HasSubstr("empty.pbc, byte 0"));
}

/// format.md has a program and its bytes; this keeps them true.
TEST(BytecodeFormat, WorkedExampleIsWhatTheWriterWrites) {
  std::ifstream file(PLIANT_SOURCE_DIR "/src/bytecode/format.md");
  ASSERT_TRUE(file.is_open());
  std::string program;
  std::string expected;
  std::string* block = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      block = block != nullptr    ? nullptr
              : line == "```pasm" ? &program
              : line == "```hex"  ? &expected
                                  : &line;
      continue;
    }
    if (block == &program) {
      program += line + '\n';
    } else if (block == &expected) {
      expected += line.substr(0, line.find("  #")) + '\n';
    }
  }
  Diagnostics diagnostics;
  const auto assembled_program = text::assemble(program, "a.pasm", diagnostics);
  ASSERT_TRUE(assembled_program.has_value()) << diagnostics.render(program);
  std::istringstream words(expected);
  std::vector<std::string> expected_bytes;
  for (std::string word; words >> word;) {
    expected_bytes.push_back(word);
  }
  std::vector<std::string> written;
  for (const std::byte byte : write(*assembled_program)) {
    written.push_back(fmt::format("{:02x}", static_cast<int>(byte)));
  }
  EXPECT_EQ(written, expected_bytes);
}

}  // namespace
}  // namespace pliant::bytecode
