#include "cli/error_report.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "cli/terminal_text.h"

namespace pliant::cli {
namespace {

/// Splits a number off the end of "…:12"; 0 when there is none.
int split_number(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return 0;
  }
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, value);
  if (error != std::errc() || rest != end || value <= 0) {
    return 0;
  }
  text = text.substr(0, colon);
  return value;
}

void print_line_with_caret(const TextPlace& place) {
  std::ifstream file(place.path);
  std::string text;
  for (int line = 0; line < place.line; ++line) {
    if (!std::getline(file, text)) {
      return;
    }
  }
  constexpr std::size_t kMaxWidth = 200;  // a constant's values may fill a line of megabytes
  const auto column = static_cast<std::size_t>(place.column);
  if (column > kMaxWidth) {
    return;
  }
  text = terminal_text(text.substr(0, kMaxWidth));
  std::string indent;  // tabs stay tabs, so the caret stands below its column
  for (std::size_t i = 0; i + 1 < column && i < text.size(); ++i) {
    indent += text[i] == '\t' ? '\t' : ' ';
  }
  fmt::print(stderr, "{:6} | {}\n       | {}^\n", place.line, text, indent);
}

}  // namespace

TextPlace text_place(const std::string& where) {
  std::string_view rest = where;
  TextPlace place;
  place.column = split_number(rest);
  place.line = place.column > 0 ? split_number(rest) : 0;
  if (place.line == 0) {
    return {};
  }
  place.path = rest;
  return place;
}

ExitCode report(const Error& error) {
  // A message of several lines shows the text that it is about after its first line.
  const std::size_t end = error.message.find('\n');
  const bool shows_text = end != std::string::npos;
  const Error first_line{error.code, error.message.substr(0, end), error.where};
  fmt::print(stderr, "error: {}\n", terminal_text(first_line.to_string()));
  if (shows_text) {
    std::istringstream lines(error.message.substr(end + 1));
    for (std::string line; std::getline(lines, line);) {
      fmt::print(stderr, "{}\n", terminal_text(line));
    }
  } else if (const TextPlace place = text_place(error.where); place.line > 0) {
    print_line_with_caret(place);
  }
  return error.code == ErrorCode::kInternal ? ExitCode::kInternal : ExitCode::kUserError;
}

}  // namespace pliant::cli
