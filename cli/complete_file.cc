#include "cli/complete_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace pliant::cli {
namespace {

namespace fs = std::filesystem;

Error write_error(const std::string& path, const std::error_code& reason) {
  return {ErrorCode::kIo, fmt::format("cannot write {}: {}", path, reason.message()), {}};
}

std::error_code last_error() {
  return {errno, std::generic_category()};
}

std::error_code write_parts(const fs::path& path, std::initializer_list<std::string_view> parts) {
  std::FILE* const file = std::fopen(path.c_str(), "wbx");
  if (file == nullptr) {
    return last_error();
  }
  std::error_code failure;
  for (const std::string_view part : parts) {
    if (!failure && std::fwrite(part.data(), 1, part.size(), file) != part.size()) {
      failure = last_error();
    }
  }
  if (std::fclose(file) != 0 && !failure) {
    failure = last_error();
  }
  return failure;
}

/// Gives `temporary` its final name.
std::error_code move_into_place(const fs::path& temporary, const fs::path& path,
                                Model::Existing existing) {
  std::error_code failure;
  if (existing == Model::Existing::kReplace) {
    fs::rename(temporary, path, failure);
  } else {
    // A link, unlike a rename, fails when somebody made the file in the meantime.
    fs::create_hard_link(temporary, path, failure);
  }
  return failure;
}

}  // namespace

Status write_complete_file(const std::string& path, std::initializer_list<std::string_view> parts,
                           Model::Existing existing) {
  std::error_code ignored;
  // Through a link the file that it points to is replaced, not the link.
  const fs::path linked = fs::canonical(path, ignored);
  const fs::path target = linked.empty() ? fs::path(path) : linked;
  const fs::file_status status = fs::status(target, ignored);
  if (fs::exists(status) && existing == Model::Existing::kRefuse) {
    return Error{
        ErrorCode::kInvalidArgument, fmt::format("{} exists; --force replaces it", path), {}};
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    return Error{
        ErrorCode::kIo, fmt::format("cannot write {}: this is not a regular file", path), {}};
  }
  const fs::path temporary = fmt::format("{}.{}.part", target.string(), getpid());
  std::error_code failure = write_parts(temporary, parts);
  if (!failure) {
    failure = move_into_place(temporary, target, existing);
  }
  fs::remove(temporary, ignored);
  if (failure) {
    return write_error(path, failure);
  }
  return {};
}

}  // namespace pliant::cli
