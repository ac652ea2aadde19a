#include "session/text_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/result.h"

namespace pliant::session {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) {
    return make_error(ErrorCode::kIo, "cannot open {}: {}", path, std::strerror(errno));
  }
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, count);
    if (text.size() > kMaxBytes) {
      return make_error(ErrorCode::kResourceExhausted, "{} is longer than {} bytes", path,
                        kMaxBytes);
    }
  }
  if (std::ferror(file.get()) != 0) {
    return make_error(ErrorCode::kIo, "cannot read {}: {}", path, std::strerror(errno));
  }
  return text;
}

}  // namespace pliant::session
