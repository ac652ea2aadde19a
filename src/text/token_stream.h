#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "program/diagnostics.h"
#include "text/lexer.h"

namespace pliant::text {

/// Tokens with one of lookahead, and the errors about them. Parsing functions return false after an
/// error has been reported; the caller then skips the rest of the line.
class TokenStream {
 public:
  TokenStream(std::string_view text, std::string source, Diagnostics& diagnostics);

  [[nodiscard]] const Token& current() const { return current_; }
  [[nodiscard]] const Token& following() const { return following_; }
  Token take();

  /// Takes the punctuation if it is there.
  bool accept(std::string_view punctuation);
  /// Takes the punctuation or reports that it is missing.
  [[nodiscard]] bool expect(std::string_view punctuation);

  [[nodiscard]] bool at_line_end() const;
  [[nodiscard]] bool at_end() const { return current_.kind == TokenKind::kEnd; }
  void skip_line();
  void skip_newlines();

  /// Reports an error; always false.
  bool fail(const Token& token, std::string message, ErrorCode code = ErrorCode::kSyntax);
  /// "expected a register, found `x`" at the current token; always false.
  bool fail_expected(std::string_view what);

  /// Takes a bare or quoted name; empty after an error that says what was expected.
  [[nodiscard]] std::optional<std::string> name(std::string_view what);
  /// The bytes of a name, `$name` or `@name` token; empty after an error.
  [[nodiscard]] std::optional<std::string> name_of(const Token& token);

 private:
  Lexer lexer_;
  std::string source_;
  Diagnostics& diagnostics_;
  Token current_;
  Token following_;
};

}  // namespace pliant::text
