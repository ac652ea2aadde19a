#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pliant::text {

enum class TokenKind : std::uint8_t {
  kName,         ///< weights, MATMUL, axis, true
  kQuoted,       ///< "a:0", quotes included
  kSymbolName,   ///< $batch or $"a b"
  kLabelName,    ///< @loop or @"a b"
  kRegister,     ///< r3
  kWhole,        ///< -3
  kDecimal,      ///< 1e-5, inf, nan
  kHexadecimal,  ///< 0x7fc00000
  kDirective,    ///< .const; also the .dim behind a register
  kPunctuation,  ///< , : = [ ] ( ) { } ... _ and comparisons
  kNewline,
  kEnd,
  kError,  ///< bytes that are no token, or a quote without its end
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  int line = 1;
  int column = 1;

  [[nodiscard]] bool is(std::string_view punctuation) const {
    return kind == TokenKind::kPunctuation && text == punctuation;
  }
};

/// Cuts assembly into tokens, one at a time. Any bytes are safe; comments are skipped.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  [[nodiscard]] Token next();

 private:
  void skip_blank();
  [[nodiscard]] char at(std::size_t offset) const {
    return offset < text_.size() ? text_[offset] : '\0';
  }
  /// One past the last byte of the name, bare or quoted, at `offset`; `offset` if there is none.
  [[nodiscard]] std::size_t name_end(std::size_t offset) const;
  [[nodiscard]] std::size_t number_end(TokenKind& kind) const;
  [[nodiscard]] std::size_t token_end(TokenKind& kind) const;

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
};

}  // namespace pliant::text
