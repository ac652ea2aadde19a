#include "bytecode/reader.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/result.h"
#include "bytecode/byte_reader.h"
#include "bytecode/description_reader.h"
#include "bytecode/format.h"
#include "program/well_formed.h"

namespace pliant::bytecode {
namespace {

Error corrupt(std::string message, std::size_t offset) {
  return {ErrorCode::kCorrupt, std::move(message), fmt::format("byte {}", offset)};
}

Result<Header> read_header(std::span<const std::byte> bytes) {
  Header header{};
  if (bytes.size() < sizeof(header)) {
    return corrupt(fmt::format("the header has {} bytes, found {}", sizeof(header), bytes.size()),
                   0);
  }
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != kMagic) {
    return corrupt("this is not bytecode: the first bytes differ", 0);
  }
  if (header.version == 0 || header.version > kVersion) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("bytecode version {} is newer than this library reads: {}",
                             header.version, kVersion),
                 fmt::format("byte {}", offsetof(Header, version))};
  }
  if (header.description_bytes > bytes.size() - sizeof(header) ||
      header.data_offset < sizeof(header) + header.description_bytes ||
      header.data_offset % kAlignment != 0 || header.data_offset > bytes.size() ||
      header.data_bytes != bytes.size() - header.data_offset) {
    return corrupt(
        fmt::format("the sections do not fit the file of {} bytes; is it complete?", bytes.size()),
        offsetof(Header, description_bytes));
  }
  return header;
}

/// A file in memory; pages are read when they are first used.
class Mapping {
 public:
  [[nodiscard]] static Result<std::shared_ptr<const Mapping>> open(const std::string& path) {
    const auto fail = [&](const char* what) {
      return make_error(ErrorCode::kIo, "cannot {} {}: {}", what, path,
                        std::generic_category().message(errno));
    };
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
      return fail("open");
    }
    struct stat information {};
    const bool regular = ::fstat(descriptor, &information) == 0 && S_ISREG(information.st_mode);
    const auto size = static_cast<std::size_t>(regular ? information.st_size : 0);
    void* data = MAP_FAILED;
    if (size > 0) {
      data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    const Error error = fail("map");
    ::close(descriptor);
    if (!regular) {
      return make_error(ErrorCode::kIo, "this is not a regular file: {}", path);
    }
    if (size > 0 && data == MAP_FAILED) {
      return error;
    }
    return std::make_shared<const Mapping>(size > 0 ? data : nullptr, size);
  }

  Mapping(void* data, std::size_t size) : data_(data), size_(size) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (data_ != nullptr) {
      ::munmap(data_, size_);
    }
  }

  [[nodiscard]] std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(data_), size_};
  }

 private:
  void* data_;
  std::size_t size_;
};

}  // namespace

Result<Program> read(std::span<const std::byte> bytes, std::shared_ptr<const void> owner) {
  PLIANT_ASSIGN_OR_RETURN(const Header header, read_header(bytes));
  const auto description =
      bytes.subspan(sizeof(Header), static_cast<std::size_t>(header.description_bytes));
  if (header.checksum != 0 && header.checksum != checksum(description)) {
    return corrupt("the description was changed: its checksum differs", offsetof(Header, checksum));
  }
  const auto data = bytes.subspan(static_cast<std::size_t>(header.data_offset));
  PLIANT_ASSIGN_OR_RETURN(Program program, read_description(ByteReader(description, sizeof(Header)),
                                                            data, std::move(owner)));
  // From here on the program is as well-formed as one from the assembler.
  PLIANT_RETURN_IF_ERROR(check_declarations(program));
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    Status status = check_instruction(program, i);
    if (!status) {
      status.error().where = fmt::format("instruction {}", i);
      return status.error();
    }
  }
  return program;
}

Result<Program> read_file(const std::string& path) {
  PLIANT_ASSIGN_OR_RETURN(const auto mapping, Mapping::open(path));
  auto program = read(mapping->bytes(), mapping);
  if (!program) {
    Error& error = program.error();
    error.where = error.where.empty() ? path : fmt::format("{}, {}", path, error.where);
  }
  return program;
}

}  // namespace pliant::bytecode
