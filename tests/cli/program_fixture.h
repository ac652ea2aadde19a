#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/npy.h"
#include "cli/temporary_folder.h"

namespace pliant::cli {

/// The program `pliant` as a user starts it, in a folder of its own.
class ProgramTest : public ::testing::Test {
 protected:
  struct Outcome {
    int code = -1;
    std::string out;
    std::string err;
  };
  /// Runs `pliant` in the test's folder.
  Outcome pliant(const std::string& arguments) const {
    const std::string command = "cd '" + (folder_ / ".") + "' && '" PLIANT_PROGRAM "' " +
                                arguments + " > out.txt 2> err.txt < /dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder_.read("out.txt"),
            folder_.read("err.txt")};
  }
  void write_npy_file(const std::string& name, DType dtype,
                      const std::vector<std::int64_t>& shape) {
    auto tensor = Tensor::allocate(dtype, shape);
    ASSERT_TRUE(tensor);
    std::memset(tensor->mutable_data(), 0, tensor->byte_size());
    ASSERT_TRUE(write_npy(folder_ / name, *tensor));
  }
  [[nodiscard]] Tensor read_npy_file(const std::string& name) const {
    auto tensor = read_npy(folder_ / name);
    EXPECT_TRUE(tensor) << tensor.error().to_string();
    return tensor ? *tensor : Tensor();
  }
  [[nodiscard]] bool exists(const std::string& name) const {
    return std::filesystem::exists(folder_ / name);
  }

  testing::TemporaryFolder folder_;
};

}  // namespace pliant::cli
