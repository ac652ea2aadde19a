#include "bytecode/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/result.h"

namespace pliant::bytecode {
namespace {

Error io_error(const std::string& path, const char* what) {
  return make_error(ErrorCode::kIo, "cannot {} {}: {}", what, path,
                    std::generic_category().message(errno));
}

/// Where writing through `path` ends up; the path itself if it does not exist.
std::string resolve_link(const std::string& path) {
  std::error_code error;
  const auto target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

/// Makes a rename last: the directory that holds the name is synchronised too.
void synchronise_directory(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  const int descriptor =
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    ::fsync(descriptor);  // some file systems cannot; the file itself is safe
    ::close(descriptor);
  }
}

}  // namespace

AtomicFile::AtomicFile(std::string path, std::string temporary, int descriptor, Existing existing)
    : path_(std::move(path)),
      temporary_(std::move(temporary)),
      descriptor_(descriptor),
      existing_(existing) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      existing_(other.existing_) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
  }
}

Result<AtomicFile> AtomicFile::create(const std::string& requested, Existing existing) {
  const std::string path = resolve_link(requested);
  struct stat information {};
  if (::stat(path.c_str(), &information) == 0) {
    if (existing == Existing::kRefuse) {
      return make_error(ErrorCode::kInvalidArgument, "the file exists already: {}", requested);
    }
    // A rename would put a file in the place of a device or pipe.
    if (!S_ISREG(information.st_mode)) {
      return make_error(ErrorCode::kInvalidArgument, "this is not a regular file: {}", requested);
    }
  }
  static std::atomic<unsigned> counter{0};
  const std::string temporary = fmt::format("{}.{}.{}.part", path, ::getpid(), ++counter);
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    return io_error(requested, "create");
  }
  return AtomicFile(path, temporary, descriptor, existing);
}

Error AtomicFile::system_error(const char* what) const {
  return io_error(path_, what);
}

Status AtomicFile::append(std::span<const std::byte> bytes) {
  // The system takes at most 2 GiB a call.
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), kMostAtOnce));
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      return system_error("write");
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Status AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) {
    return system_error("write");
  }
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (closed != 0) {
    return system_error("write");
  }
  if (existing_ == Existing::kReplace) {
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
      return system_error("replace");
    }
    temporary_.clear();
  } else if (::link(temporary_.c_str(), path_.c_str()) != 0) {
    // A link, unlike a rename, fails when somebody made the file in the meantime.
    if (errno == EEXIST) {
      return make_error(ErrorCode::kInvalidArgument, "the file exists already: {}", path_);
    }
    return system_error("create");
  }
  synchronise_directory(path_);
  return {};
}

}  // namespace pliant::bytecode
