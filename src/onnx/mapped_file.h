#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"

namespace pliant::onnx {

/// A regular file in memory, read-only; pages come in as they are touched. Immutable, thread-safe.
class MappedFile {
 public:
  /// Errors: kIo when the file is missing, not a regular file, or cannot be read.
  [[nodiscard]] static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);

  MappedFile(const void* data, std::size_t byte_size) : data_(data), byte_size_(byte_size) {}
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] const void* data() const { return data_; }  ///< null when the file is empty
  [[nodiscard]] std::size_t byte_size() const { return byte_size_; }

 private:
  const void* data_;
  std::size_t byte_size_;
};

}  // namespace pliant::onnx
