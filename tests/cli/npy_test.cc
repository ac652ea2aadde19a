#include "cli/npy.h"

#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <limits>
#include <vector>

#include "cli/temporary_folder.h"

namespace pliant::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class NpyTest : public ::testing::Test {
 protected:
  /// A file of the given version with this header and these elements.
  std::string file(const std::string& header, const std::string& elements, char version = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += version;
    bytes += '\0';
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    for (std::size_t i = 0; i < length_bytes; ++i) {
      bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
    }
    folder_.write("x.npy", bytes + header + elements);
    return folder_ / "x.npy";
  }
  static std::string bytes_of(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
  }
  Error error_of(const std::string& header, const std::string& elements) {
    const auto tensor = read_npy(file(header, elements));
    EXPECT_FALSE(tensor);
    return tensor ? Error{} : tensor.error();
  }
  Tensor round_trip(const Tensor& tensor) {
    EXPECT_TRUE(write_npy(folder_ / "y.npy", tensor));
    auto read = read_npy(folder_ / "y.npy");
    EXPECT_TRUE(read) << read.error().to_string();
    return *read;
  }

  testing::TemporaryFolder folder_;
};

std::vector<float> values_of(const Tensor& tensor) {
  return {tensor.values<float>().begin(), tensor.values<float>().end()};
}

TEST_F(NpyTest, ReadsEveryVersion) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }   \n";
  for (const char version : {1, 2, 3}) {
    const auto tensor = read_npy(file(header, bytes_of({1, 2}), version));
    ASSERT_TRUE(tensor) << tensor.error().to_string();
    EXPECT_THAT(tensor->shape(), ElementsAre(2, 1));
    EXPECT_THAT(values_of(*tensor), ElementsAre(1, 2));
  }
  EXPECT_EQ(read_npy(file(header, bytes_of({1, 2}), 4)).error().code, ErrorCode::kUnsupported);
}

TEST_F(NpyTest, BringsFortranOrderIntoRowMajorOrder) {
  const auto tensor = read_npy(file("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}",
                                    bytes_of({1, 4, 2, 5, 3, 6})));
  ASSERT_TRUE(tensor);
  EXPECT_THAT(tensor->shape(), ElementsAre(2, 3));
  EXPECT_THAT(values_of(*tensor), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(NpyTest, ReadsScalarsAndEmptyArrays) {
  const auto scalar =
      read_npy(file("{'descr': '<f4', 'fortran_order': False, 'shape': ()}", bytes_of({5})));
  ASSERT_TRUE(scalar) << scalar.error().to_string();
  EXPECT_THAT(scalar->shape(), IsEmpty());
  EXPECT_THAT(values_of(*scalar), ElementsAre(5));
  const auto empty = read_npy(file("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 0)}", ""));
  ASSERT_TRUE(empty);
  EXPECT_THAT(empty->shape(), ElementsAre(3, 0));
}

TEST_F(NpyTest, AnyByteButZeroIsTrue) {
  const auto tensor = read_npy(
      file("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", std::string("\0\1\x7f", 3)));
  ASSERT_TRUE(tensor);
  const auto* bytes = static_cast<const unsigned char*>(tensor->data());
  EXPECT_EQ(bytes[0], 0);
  EXPECT_EQ(bytes[1], 1);
  EXPECT_EQ(bytes[2], 1);
}

TEST_F(NpyTest, KeepsEveryElementTypeAndShape) {
  for (int dtype = 0; dtype < kDTypeCount; ++dtype) {
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{}, {1}, {0}, {2, 3}, {1, 2, 1, 2, 1, 2, 1, 2}}) {
      auto tensor = Tensor::allocate(static_cast<DType>(dtype), shape);
      ASSERT_TRUE(tensor);
      auto* bytes = static_cast<unsigned char*>(tensor->mutable_data());
      for (std::size_t i = 0; i < tensor->byte_size(); ++i) {
        bytes[i] = static_cast<DType>(dtype) == DType::kBool ? i % 2 : i * 7 + 1;
      }
      const Tensor read = round_trip(*tensor);
      EXPECT_EQ(read.dtype(), tensor->dtype());
      EXPECT_EQ(read.shape(), shape);
      EXPECT_EQ(std::memcmp(read.data(), tensor->data(), tensor->byte_size()), 0);
    }
  }
}

TEST_F(NpyTest, ElementsStartAtAMultipleOf64) {
  auto tensor = Tensor::allocate(DType::kF32, std::vector<std::int64_t>{1});
  ASSERT_TRUE(tensor);
  ASSERT_TRUE(write_npy(folder_ / "y.npy", *tensor));
  EXPECT_EQ((folder_.read("y.npy").size() - 4) % 64, 0u);
}

TEST_F(NpyTest, RefusesTypesItDoesNotHave) {
  const char* const unsupported[] = {"'>f4'", "'<c8'", "'|O'",          "'<U5'",
                                     "'|S3'", "''",    "[('a', '<f4')]"};
  for (const std::string descr : unsupported) {
    const Error error =
        error_of("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,)}", bytes_of({1}));
    EXPECT_EQ(error.code, ErrorCode::kUnsupported) << descr;
    EXPECT_THAT(error.message, HasSubstr("x.npy"));
  }
}

TEST_F(NpyTest, RefusesFilesThatDoNotFitTheirHeader) {
  const std::string start = "{'descr': '<f4', 'fortran_order': False, 'shape': ";
  EXPECT_THAT(error_of(start + "(3,)}", bytes_of({1, 2})).message,
              HasSubstr("asks for 12 bytes of elements, the file has 8"));
  EXPECT_EQ(error_of(start + "(1,)}", bytes_of({1, 2})).code, ErrorCode::kCorrupt);
  EXPECT_EQ(error_of(start + "(1000000000000,)}", "").code, ErrorCode::kCorrupt);
  EXPECT_EQ(error_of(start + "(4611686018427387904, 4)}", "").code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(error_of(start + "(1, 1, 1, 1, 1, 1, 1, 1, 1)}", bytes_of({1})).code,
            ErrorCode::kShapeMismatch);
}

TEST_F(NpyTest, RefusesBrokenHeaders) {
  const char* const broken[] = {
      "",
      "{",
      "{}",
      "{'descr': '<f4'",
      "{'descr': '<f4', 'fortran_order': False}",
      "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'shape': (1,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} {",
  };
  for (const std::string header : broken) {
    EXPECT_EQ(error_of(header, bytes_of({1})).code, ErrorCode::kCorrupt) << header;
  }
}

TEST_F(NpyTest, RefusesWhatIsNotNpy) {
  for (const std::string& bytes : {std::string(), std::string("\x93NUM"), std::string("text file"),
                                   std::string("\x93NUMPY\x01\x00\xff\xff", 10)}) {
    folder_.write("x.npy", bytes);
    EXPECT_EQ(read_npy(folder_ / "x.npy").error().code, ErrorCode::kCorrupt) << bytes;
  }
  folder_.write("x.npy", std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12));
  EXPECT_THAT(read_npy(folder_ / "x.npy").error().message, HasSubstr("longer than"));
  EXPECT_EQ(read_npy(folder_ / "missing.npy").error().code, ErrorCode::kIo);
  EXPECT_EQ(read_npy(folder_ / "").error().code, ErrorCode::kIo);
}

TEST_F(NpyTest, WritingSaysWhatTheSystemSays) {
  auto tensor = Tensor::allocate(DType::kF32, std::vector<std::int64_t>{1});
  ASSERT_TRUE(tensor);
  const Status status = write_npy(folder_ / "no_such_folder/y.npy", *tensor);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_THAT(status.error().message, HasSubstr("No such file"));
}

}  // namespace
}  // namespace pliant::cli
