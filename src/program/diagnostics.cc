#include "program/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace pliant {
namespace {

/// Lines of a one-line model can be megabytes long.
constexpr std::size_t kMaxShownColumns = 120;

std::string_view line_of(std::string_view text, int line) {
  for (int i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      return {};
    }
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  return text.ends_with('\r') ? text.substr(0, text.size() - 1) : text;
}

/// The source line and a caret below the column. Bytes that a terminal would act on become `?`.
std::string excerpt(std::string_view line, const Diagnostic& diagnostic) {
  const auto column = static_cast<std::size_t>(std::max(diagnostic.column, 1) - 1);
  const std::size_t first = column < kMaxShownColumns ? 0 : column - kMaxShownColumns / 2;
  std::string shown(line.substr(std::min(first, line.size()), kMaxShownColumns));
  for (char& c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    c = c == '\t' ? ' ' : c;
    c = byte < 0x20 && c != ' ' ? '?' : c;
    c = byte == 0x7f ? '?' : c;
  }
  return fmt::format("{:5} | {}\n      | {}^\n", diagnostic.line, shown,
                     std::string(column - first, ' '));
}

}  // namespace

void Diagnostics::add(Diagnostic diagnostic) {
  if (full()) {
    ++dropped_;
    return;
  }
  all_.push_back(std::move(diagnostic));
}

std::string Diagnostics::render(std::string_view text) const {
  std::string result;
  for (const Diagnostic& diagnostic : all_) {
    result += fmt::format("{}{}error: {}\n", diagnostic.where, diagnostic.where.empty() ? "" : ": ",
                          diagnostic.message);
    if (diagnostic.line > 0 && !text.empty()) {
      result += excerpt(line_of(text, diagnostic.line), diagnostic);
    }
  }
  if (dropped_ > 0) {
    result += fmt::format("and {} more\n", dropped_);
  }
  return result;
}

Error Diagnostics::to_error(std::string_view text) const {
  PLIANT_CHECK(!all_.empty());
  const Diagnostic& first = all_.front();
  if (all_.size() > 1) {
    std::string rendered = render(text);
    rendered.pop_back();  // the last newline
    return {first.code, fmt::format("{} errors\n{}", all_.size() + dropped_, rendered), {}};
  }
  Error error{first.code, first.message, first.where};
  if (first.line > 0 && !text.empty()) {
    error.message += '\n' + excerpt(line_of(text, first.line), first);
    error.message.pop_back();
  }
  return error;
}

}  // namespace pliant
