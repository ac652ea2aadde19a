#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <pliant/result.h>

#include "bytecode/writer.h"

namespace pliant::bytecode {

/// A file that appears at its path complete or not at all: it is written under a name beside the
/// path and moved there by commit(). Without a commit nothing remains. Errors are kIo with the path
/// and the system's words.
class AtomicFile {
 public:
  [[nodiscard]] static Result<AtomicFile> create(const std::string& path, Existing existing);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  [[nodiscard]] Status append(std::span<const std::byte> bytes);
  [[nodiscard]] Status commit();

 private:
  AtomicFile(std::string path, std::string temporary, int descriptor, Existing existing);
  [[nodiscard]] Error system_error(const char* what) const;

  std::string path_;
  std::string temporary_;  ///< empty once nothing is left to remove
  int descriptor_ = -1;
  Existing existing_;
};

}  // namespace pliant::bytecode
