#include "onnx/external_data.h"

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

namespace pliant::onnx {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::string location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

Result<std::uint64_t> parse_number(const std::string& text, std::string_view what) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) {
    return make_error(ErrorCode::kCorrupt, "external data: {} is not a number: '{}'", what, text);
  }
  return value;
}

Result<Request> parse_request(const proto::Tensor& tensor) {
  Request request;
  for (const proto::Entry& entry : tensor.external_data()) {  // unknown keys are ignored
    if (entry.key() == "location") {
      request.location = entry.value();
    } else if (entry.key() == "offset") {
      PLIANT_ASSIGN_OR_RETURN(request.offset, parse_number(entry.value(), "offset"));
    } else if (entry.key() == "length") {
      PLIANT_ASSIGN_OR_RETURN(request.length, parse_number(entry.value(), "length"));
    }
  }
  return request;
}

/// Refuses, before any file is touched, names that are not plainly relative and downwards.
Status check_location(const std::string& location) {
  const auto refuse = [&](std::string_view why) {
    return make_error(ErrorCode::kCorrupt, "external data: location {}: '{}'", why, location);
  };
  if (location.empty()) {
    return refuse("is empty");
  }
  if (location.find('\0') != std::string::npos) {
    return make_error(ErrorCode::kCorrupt, "external data: location has a zero byte");
  }
  if (location.front() == '/' || location.find_first_of("\\:") != std::string::npos) {
    return refuse("is not a path relative to the model");
  }
  for (const fs::path& part : fs::path(location)) {
    if (part == "..") {
      return refuse("leaves the model's folder");
    }
  }
  return {};
}

bool is_inside(const fs::path& file, const std::string& folder) {
  if (folder.empty()) {
    return false;
  }
  const fs::path base(folder);
  auto part = file.begin();
  for (const fs::path& expected : base) {
    if (part == file.end() || *part != expected) {
      return false;
    }
    ++part;
  }
  return true;
}

}  // namespace

ExternalData::ExternalData(const std::string& model_path) {
  std::error_code failure;
  const fs::path path(model_path);
  folder_ = path.has_parent_path() ? path.parent_path().string() : ".";
  real_folder_ = fs::canonical(folder_, failure).string();
  // Download caches link both the model and its data to a common store.
  linked_folder_ = fs::canonical(path, failure).parent_path().string();
}

Result<std::shared_ptr<const MappedFile>> ExternalData::open(const std::string& location) {
  if (const auto found = files_.find(location); found != files_.end()) {
    return found->second;
  }
  PLIANT_RETURN_IF_ERROR(check_location(location));
  std::error_code failure;
  const fs::path path = fs::canonical(fs::path(folder_) / location, failure);
  if (failure) {
    return make_error(ErrorCode::kIo, "external data: cannot open file: {}: '{}'",
                      failure.message(), location);
  }
  if (!is_inside(path, real_folder_) && !is_inside(path, linked_folder_)) {
    return make_error(ErrorCode::kCorrupt,
                      "external data: location leads out of the model's folder: '{}'", location);
  }
  if (!fs::is_regular_file(path, failure)) {
    return make_error(ErrorCode::kCorrupt, "external data: location is not a regular file: '{}'",
                      location);
  }
  PLIANT_ASSIGN_OR_RETURN(auto file, MappedFile::open(path.string()));
  files_.emplace(location, file);
  return file;
}

Result<ExternalBytes> ExternalData::find(const proto::Tensor& tensor) {
  if (folder_.empty()) {
    return make_error(
        ErrorCode::kUnsupported,
        "the model keeps weights in other files; load it from its file, not from memory");
  }
  PLIANT_ASSIGN_OR_RETURN(const Request request, parse_request(tensor));
  PLIANT_ASSIGN_OR_RETURN(auto file, open(request.location));
  const std::uint64_t available = file->byte_size();
  if (request.offset > available || request.length.value_or(0) > available - request.offset) {
    return make_error(
        ErrorCode::kCorrupt,
        "external data: offset and length pass the end of '{}': offset {}, length {}, file size {}",
        request.location, request.offset, request.length.value_or(0), available);
  }
  ExternalBytes bytes;
  bytes.byte_size = static_cast<std::size_t>(request.length.value_or(available - request.offset));
  bytes.data = static_cast<const char*>(file->data()) + request.offset;
  bytes.file = std::move(file);
  return bytes;
}

}  // namespace pliant::onnx
