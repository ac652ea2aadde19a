#include "onnx/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace pliant::onnx {
namespace {

/// Closes a file descriptor at the end of the block.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) {
      ::close(number);
    }
  }
};

Error system_error(const char* what, const std::string& path) {
  return make_error(ErrorCode::kIo, "{}: {}: {}", what, std::generic_category().message(errno),
                    path);
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  // O_NONBLOCK: opening a pipe must not wait for somebody to write into it.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.number < 0) {
    return system_error("cannot open file", path);
  }
  struct stat status = {};
  if (::fstat(file.number, &status) != 0) {
    return system_error("cannot read file", path);
  }
  if (!S_ISREG(status.st_mode)) {
    return make_error(ErrorCode::kIo, "not a regular file: {}", path);
  }
  const auto byte_size = static_cast<std::size_t>(status.st_size);
  if (byte_size == 0) {
    return std::make_shared<const MappedFile>(nullptr, std::size_t{0});
  }
  void* data = ::mmap(nullptr, byte_size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (data == MAP_FAILED) {
    return system_error("cannot map file", path);
  }
  return std::make_shared<const MappedFile>(data, byte_size);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    ::munmap(const_cast<void*>(data_), byte_size_);
  }
}

}  // namespace pliant::onnx
