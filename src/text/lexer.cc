#include "text/lexer.h"

#include <algorithm>
#include <array>

#include "text/names.h"

namespace pliant::text {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hexadecimal_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Longer ones first: the first that fits is taken.
constexpr std::array<std::string_view, 16> kPunctuation = {
    "...", "==", "!=", "<=", ">=", "<", ">", "=", ",", ":", "[", "]", "(", ")", "{", "}"};

}  // namespace

void Lexer::skip_blank() {
  for (; position_ < text_.size(); ++position_) {
    const char c = text_[position_];
    if (c == ';') {
      position_ = std::min(text_.find('\n', position_), text_.size());
      return;
    }
    if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
  }
}

std::size_t Lexer::name_end(std::size_t offset) const {
  if (at(offset) == '"') {
    for (std::size_t i = offset + 1; i < text_.size() && text_[i] != '\n'; ++i) {
      if (text_[i] == '"') {
        return i + 1;
      }
      i += text_[i] == '\\' && at(i + 1) != '\n' ? 1 : 0;
    }
    return offset;
  }
  if (!starts_name(at(offset))) {
    return offset;
  }
  std::size_t end = offset + 1;
  while (continues_name(at(end))) {
    // r0.dim(1) is a register and more.
    if (at(end) == '.' && is_register(text_.substr(offset, end - offset))) {
      break;
    }
    ++end;
  }
  return end;
}

std::size_t Lexer::number_end(TokenKind& kind) const {
  std::size_t end = position_;
  if (at(end) == '0' && at(end + 1) == 'x' && is_hexadecimal_digit(at(end + 2))) {
    kind = TokenKind::kHexadecimal;
    end += 2;
    while (is_hexadecimal_digit(at(end))) {
      ++end;
    }
    return end;
  }
  end += at(end) == '-' ? 1 : 0;
  if (text_.substr(end, 3) == "inf" && !continues_name(at(end + 3))) {
    kind = TokenKind::kDecimal;
    return end + 3;
  }
  if (!is_digit(at(end))) {
    return position_;
  }
  kind = TokenKind::kWhole;
  const auto skip_digits = [&] {
    while (is_digit(at(end))) {
      ++end;
    }
  };
  skip_digits();
  if (at(end) == '.') {
    kind = TokenKind::kDecimal;
    ++end;
    skip_digits();
  }
  if (at(end) == 'e' || at(end) == 'E') {
    const std::size_t sign = at(end + 1) == '-' || at(end + 1) == '+' ? 1 : 0;
    if (is_digit(at(end + 1 + sign))) {
      kind = TokenKind::kDecimal;
      end += 1 + sign;
      skip_digits();
    }
  }
  return end;
}

std::size_t Lexer::token_end(TokenKind& kind) const {
  const char c = text_[position_];
  if (const std::size_t end = number_end(kind); end > position_) {
    return end;
  }
  if (c == '$' || c == '@') {
    kind = c == '$' ? TokenKind::kSymbolName : TokenKind::kLabelName;
    const std::size_t end = name_end(position_ + 1);
    return end > position_ + 1 ? end : position_;
  }
  if (const std::size_t end = name_end(position_); end > position_) {
    const std::string_view word = text_.substr(position_, end - position_);
    kind = c == '"' ? TokenKind::kQuoted : TokenKind::kName;
    if (is_register(word)) {
      kind = TokenKind::kRegister;
    } else if (word == "nan") {
      kind = TokenKind::kDecimal;
    } else if (word == "_") {
      kind = TokenKind::kPunctuation;
    }
    return end;
  }
  if (c == '.' && starts_name(at(position_ + 1))) {
    kind = TokenKind::kDirective;
    std::size_t end = position_ + 1;
    while (starts_name(at(end))) {
      ++end;
    }
    return end;
  }
  for (const std::string_view punctuation : kPunctuation) {
    if (text_.substr(position_).starts_with(punctuation)) {
      kind = TokenKind::kPunctuation;
      return position_ + punctuation.size();
    }
  }
  return position_;
}

Token Lexer::next() {
  skip_blank();
  Token token;
  token.line = line_;
  token.column = static_cast<int>(position_ - line_start_) + 1;
  if (position_ >= text_.size()) {
    return token;
  }
  std::size_t end = position_ + 1;
  if (text_[position_] == '\n') {
    token.kind = TokenKind::kNewline;
    ++line_;
    line_start_ = end;
  } else {
    end = token_end(token.kind);
    if (end == position_) {
      token.kind = TokenKind::kError;
      // Without its end, a quote spoils the rest of the line.
      end = text_[position_] == '"' ? std::min(text_.find('\n', position_), text_.size())
                                    : position_ + 1;
    }
  }
  token.text = text_.substr(position_, end - position_);
  position_ = end;
  return token;
}

}  // namespace pliant::text
