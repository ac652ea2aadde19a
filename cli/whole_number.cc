#include "cli/whole_number.h"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace pliant::cli {
namespace {

std::string check(std::string& text) {
  if (!text.empty() && text.front() == '-') {
    return "must not be negative: " + text;
  }
  std::int64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc::result_out_of_range ? "too large: " + text : std::string();
}

}  // namespace

CLI::Validator whole_number() {
  return {check, ""};
}

}  // namespace pliant::cli
