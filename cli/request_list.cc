#include "cli/request_list.h"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

namespace pliant::cli {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view without_comment(std::string_view line) {
  return line.substr(0, line.find('#'));
}

}  // namespace

Result<std::vector<Sizes>> read_requests(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    return Error{ErrorCode::kIo, fmt::format("cannot open {}", path), {}};
  }
  std::vector<Sizes> requests;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string_view text = without_comment(line);
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) {
      continue;
    }
    const std::size_t end = text.find_last_not_of(kSpace) + 1;
    auto sizes = parse_sizes({std::string(text.substr(begin, end - begin))});
    if (!sizes) {
      Error error = sizes.error();
      error.where = fmt::format("{}:{}:{}", path, number, begin + 1);
      return error;
    }
    requests.push_back(std::move(*sizes));
  }
  if (file.bad()) {
    return Error{ErrorCode::kIo, fmt::format("cannot read {}", path), {}};
  }
  return requests;
}

}  // namespace pliant::cli
