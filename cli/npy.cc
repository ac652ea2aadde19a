#include "cli/npy.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "cli/complete_file.h"
#include "cli/npy_header.h"

namespace pliant::cli {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kMaxHeaderBytes = 1 << 20;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Error io_error(std::string_view what, const std::string& path) {
  return {ErrorCode::kIo, fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)), {}};
}

Error corrupt(const std::string& path, std::string_view what) {
  return {ErrorCode::kCorrupt, fmt::format("{}: {}", path, what), {}};
}

/// Row-major elements from Fortran order, where the first axis is innermost.
void reorder(const std::byte* source, std::byte* target, const std::vector<std::int64_t>& shape,
             std::size_t element_size, std::int64_t count) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    strides[axis] = strides[axis - 1] * shape[axis - 1];
  }
  std::vector<std::int64_t> index(shape.size(), 0);
  std::int64_t offset = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(target, source + static_cast<std::size_t>(offset) * element_size, element_size);
    target += element_size;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      offset += strides[axis];
      if (++index[axis] < shape[axis]) {
        break;
      }
      offset -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
}

Result<std::string> read_header_text(std::FILE* file, const std::string& path) {
  unsigned char start[12] = {};
  if (std::fread(start, 1, 8, file) != 8 || std::memcmp(start, kMagic.data(), kMagic.size()) != 0) {
    return corrupt(path, "this is not a .npy file");
  }
  const int version = start[6];
  if (version < 1 || version > 3) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: .npy versions 1 to 3 can be read, this is {}", path, version),
                 {}};
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (std::fread(start + 8, 1, length_bytes, file) != length_bytes) {
    return corrupt(path, "the file ends within its header");
  }
  std::size_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;) {
    length = length << 8 | start[8 + i];
  }
  if (length > kMaxHeaderBytes) {
    return corrupt(path,
                   fmt::format("the header is longer than {} bytes: {}", kMaxHeaderBytes, length));
  }
  std::string text(length, '\0');
  if (std::fread(text.data(), 1, length, file) != length) {
    return corrupt(path, "the file ends within its header");
  }
  return text;
}

/// Checks that the file goes on with exactly as many bytes as the tensor has.
Status check_size(std::FILE* file, const std::string& path, const Tensor& tensor) {
  struct stat status {};
  const long position = std::ftell(file);
  if (position < 0 || fstat(fileno(file), &status) != 0) {
    return io_error("read", path);
  }
  const auto left = static_cast<std::size_t>(status.st_size - position);
  if (left != tensor.byte_size()) {
    return corrupt(path, fmt::format("the header asks for {} bytes of elements, the file has {}",
                                     tensor.byte_size(), left));
  }
  return {};
}

Result<Tensor> read_elements(std::FILE* file, const std::string& path, DType dtype,
                             const std::vector<std::int64_t>& shape) {
  // A tensor without memory first: it checks the shape, and the file must have the elements.
  const std::byte placeholder{};
  const auto wanted = Tensor::borrow(&placeholder, dtype, shape);
  if (!wanted) {
    return Error{wanted.error().code, fmt::format("{}: {}", path, wanted.error().message), {}};
  }
  if (Status status = check_size(file, path, *wanted); !status) {
    return status.error();
  }
  auto tensor = Tensor::allocate(dtype, shape);
  if (tensor &&
      std::fread(tensor->mutable_data(), 1, tensor->byte_size(), file) != tensor->byte_size()) {
    return io_error("read", path);
  }
  return tensor;
}

}  // namespace

Result<Tensor> read_npy(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) {
    return io_error("open", path);
  }
  struct stat status {};
  if (fstat(fileno(file.get()), &status) != 0 || !S_ISREG(status.st_mode)) {
    return Error{ErrorCode::kIo, fmt::format("cannot read {}: not a regular file", path), {}};
  }
  const auto text = read_header_text(file.get(), path);
  if (!text) {
    return text.error();
  }
  auto header = parse_npy_header(*text);
  if (!header) {
    return Error{header.error().code, fmt::format("{}: {}", path, header.error().message), {}};
  }
  auto tensor = read_elements(file.get(), path, header->dtype, header->shape);
  if (!tensor) {
    return tensor.error();
  }
  if (header->dtype == DType::kBool) {
    auto* bytes = static_cast<unsigned char*>(tensor->mutable_data());
    for (std::int64_t i = 0; i < tensor->element_count(); ++i) {
      bytes[i] = bytes[i] != 0 ? 1 : 0;
    }
  }
  if (!header->fortran_order || header->shape.size() < 2) {
    return tensor;
  }
  auto row_major = Tensor::allocate(header->dtype, header->shape);
  if (row_major) {
    reorder(static_cast<const std::byte*>(tensor->data()),
            static_cast<std::byte*>(row_major->mutable_data()), header->shape,
            byte_size(header->dtype), tensor->element_count());
  }
  return row_major;
}

Status write_npy(const std::string& path, const Tensor& tensor) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kPrefix = 10;  // magic, version, length
  std::string text = npy_header_text(tensor.dtype(), tensor.shape());
  const std::size_t total = (kPrefix + text.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  text.resize(total - kPrefix - 1, ' ');
  text += '\n';
  std::string start(kMagic);
  start +=
      {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  start += text;

  const std::string_view elements(static_cast<const char*>(tensor.data()), tensor.byte_size());
  return write_complete_file(path, {start, elements}, Model::Existing::kReplace);
}

}  // namespace pliant::cli
