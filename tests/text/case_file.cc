#include "text/case_file.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace pliant::testing {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

constexpr std::array kKeywords = {
    std::pair{std::string_view("; run:"), Expectation::Kind::kRun},
    std::pair{std::string_view("; fails:"), Expectation::Kind::kFails},
    std::pair{std::string_view("; error:"), Expectation::Kind::kError},
};

void find_expectation(std::string_view line, int number, Case& owner) {
  for (const auto& [keyword, kind] : kKeywords) {
    const std::size_t start = line.find(keyword);
    if (start != std::string_view::npos) {
      owner.expectations.push_back(
          {kind, number, std::string(trimmed(line.substr(start + keyword.size()))), {}});
    }
  }
}

/// `; plan passes:` and the lines behind it.
void find_plan(std::string_view line, int number, Case& owner) {
  constexpr std::string_view kPlan = "; plan ";
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  if (line.starts_with(kPlan) && line.ends_with(':')) {
    line.remove_suffix(1);
    owner.expectations.push_back(
        {Expectation::Kind::kPlan, number, std::string(trimmed(line.substr(kPlan.size()))), {}});
  } else if (line.starts_with(kPlanLine) && !owner.expectations.empty() &&
             owner.expectations.back().kind == Expectation::Kind::kPlan) {
    owner.expectations.back().plan += std::string(line.substr(kPlanLine.size())) + '\n';
  }
}

}  // namespace

Result<std::vector<Case>> read_cases(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    return make_error(ErrorCode::kIo, "cannot open {}", path);
  }
  std::vector<Case> cases;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.starts_with(";;;")) {
      const std::string_view name = trimmed(std::string_view(line).substr(3));
      cases.push_back(
          {std::string(name), number, std::string(static_cast<std::size_t>(number), '\n'), {}});
      continue;
    }
    if (cases.empty()) {
      if (trimmed(line).empty() || line.starts_with(";")) {
        continue;  // words about the file
      }
      return make_error(ErrorCode::kSyntax, "{}:{}: a program starts with `;;; name`", path,
                        number);
    }
    cases.back().program += line + '\n';
    find_expectation(line, number, cases.back());
    find_plan(line, number, cases.back());
  }
  return cases;
}

}  // namespace pliant::testing
