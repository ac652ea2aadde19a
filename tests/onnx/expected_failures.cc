#include "expected_failures.h"

#include <sstream>
#include <string_view>

#include "base/result.h"
#include "case_files.h"

namespace pliant::testing {
namespace {

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) {
    return name.starts_with(pattern.substr(0, pattern.size() - 1));
  }
  return pattern == name;
}

}  // namespace

Result<ExpectedFailures> ExpectedFailures::read(const std::string& path, const std::string& mode) {
  PLIANT_ASSIGN_OR_RETURN(const std::string text, read_file(path));
  ExpectedFailures list;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') {
      continue;
    }
    const std::size_t space = line.find(' ');
    std::string pattern = line.substr(0, space);
    const std::size_t reason =
        space == std::string::npos ? space : line.find_first_not_of(' ', space);
    if (reason == std::string::npos) {
      return make_error(ErrorCode::kSyntax, "a line has no reason: '{}'", line);
    }
    if (const std::size_t colon = pattern.find(':'); colon != std::string::npos) {
      if (pattern.substr(0, colon) != mode) {
        continue;
      }
      pattern.erase(0, colon + 1);
    }
    list.lines_.push_back({std::move(pattern), line.substr(reason), false});
  }
  return list;
}

const std::string* ExpectedFailures::reason(const std::string& case_name) {
  const std::string* found = nullptr;
  for (Line& line : lines_) {
    if (matches(line.pattern, case_name)) {
      line.used = true;
      found = &line.reason;
    }
  }
  return found;
}

std::vector<std::string> ExpectedFailures::unused() const {
  std::vector<std::string> patterns;
  for (const Line& line : lines_) {
    if (!line.used) {
      patterns.push_back(line.pattern);
    }
  }
  return patterns;
}

}  // namespace pliant::testing
