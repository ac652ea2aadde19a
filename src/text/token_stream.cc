#include "text/token_stream.h"

#include <fmt/format.h>

#include <utility>

#include "program/limits.h"
#include "text/names.h"

namespace pliant::text {
namespace {

constexpr std::size_t kMaxShownBytes = 60;

std::string shown(const Token& token) {
  if (token.kind == TokenKind::kEnd) {
    return "the end of the text";
  }
  if (token.kind == TokenKind::kNewline) {
    return "the end of the line";
  }
  if (token.kind == TokenKind::kError && token.text.starts_with('"')) {
    return "a quoted name without its end";
  }
  std::string text;
  for (const char c : token.text.substr(0, kMaxShownBytes)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return fmt::format("`{}{}`", text, token.text.size() > kMaxShownBytes ? "…" : "");
}

}  // namespace

TokenStream::TokenStream(std::string_view text, std::string source, Diagnostics& diagnostics)
    : lexer_(text), source_(std::move(source)), diagnostics_(diagnostics) {
  current_ = lexer_.next();
  following_ = lexer_.next();
}

Token TokenStream::take() {
  Token token = current_;
  current_ = following_;
  following_ = lexer_.next();
  return token;
}

bool TokenStream::accept(std::string_view punctuation) {
  if (!current_.is(punctuation)) {
    return false;
  }
  take();
  return true;
}

bool TokenStream::expect(std::string_view punctuation) {
  return accept(punctuation) || fail_expected(fmt::format("`{}`", punctuation));
}

bool TokenStream::at_line_end() const {
  return current_.kind == TokenKind::kNewline || current_.kind == TokenKind::kEnd;
}

void TokenStream::skip_line() {
  while (!at_line_end()) {
    take();
  }
}

void TokenStream::skip_newlines() {
  while (current_.kind == TokenKind::kNewline) {
    take();
  }
}

bool TokenStream::fail(const Token& token, std::string message, ErrorCode code) {
  diagnostics_.add({code, std::move(message),
                    fmt::format("{}:{}:{}", source_, token.line, token.column), token.line,
                    token.column});
  return false;
}

bool TokenStream::fail_expected(std::string_view what) {
  return fail(current_, fmt::format("expected {}, found {}", what, shown(current_)));
}

std::optional<std::string> TokenStream::name(std::string_view what) {
  if (current_.kind != TokenKind::kName && current_.kind != TokenKind::kQuoted) {
    fail_expected(what);
    return std::nullopt;
  }
  return name_of(take());
}

std::optional<std::string> TokenStream::name_of(const Token& token) {
  std::string_view text = token.text;
  if (token.kind == TokenKind::kSymbolName || token.kind == TokenKind::kLabelName) {
    text.remove_prefix(1);
  }
  std::optional<std::string> name;
  if (text.starts_with('"')) {
    name = unescape(text.substr(1, text.size() - 2));
  } else {
    name = std::string(text);
  }
  if (!name) {
    fail(token, "a quoted name has an unknown escape; known are \\\" \\\\ \\n \\t \\r \\xHH");
  } else if (name->size() > kMaxNameBytes) {
    fail(token,
         fmt::format("a name has {} bytes, at most {} are allowed", name->size(), kMaxNameBytes),
         ErrorCode::kResourceExhausted);
    name.reset();
  }
  return name;
}

}  // namespace pliant::text
