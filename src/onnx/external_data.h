#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "onnx/mapped_file.h"
#include "onnx/onnx.pb.h"

namespace pliant::onnx {

/// Bytes that lie in a mapped file.
struct ExternalBytes {
  std::shared_ptr<const MappedFile> file;
  const void* data = nullptr;
  std::size_t byte_size = 0;
};

/// The files beside a model that hold its weights. Each is mapped once. A model is not trusted:
/// only regular files inside the model's folder are opened, wherever links lead.
class ExternalData {
 public:
  /// For a model without a folder of its own: every request is refused.
  ExternalData() = default;
  explicit ExternalData(const std::string& model_path);

  /// The part of a file that `tensor` names. Errors: kUnsupported without a folder, kCorrupt for a
  /// location, offset or length that is not allowed or does not fit the file, kIo.
  [[nodiscard]] Result<ExternalBytes> find(const proto::Tensor& tensor);

 private:
  Result<std::shared_ptr<const MappedFile>> open(const std::string& location);

  std::string folder_;         // as given, to build paths; empty: none
  std::string real_folder_;    // without links
  std::string linked_folder_;  // folder of the file that the model's own path links to
  std::unordered_map<std::string, std::shared_ptr<const MappedFile>> files_;
};

}  // namespace pliant::onnx
