#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pliant/result.h>

namespace pliant {

/// One complaint about a program, with its place in the text it came from if there is one.
struct Diagnostic {
  ErrorCode code = ErrorCode::kSyntax;
  std::string message;
  std::string where;  ///< "model.pasm:12:8", "node 'conv1' (Conv)" or "instruction 7 (MATMUL)"
  int line = 0;       ///< 1-based line of the text, 0 if there is none
  int column = 0;     ///< 1-based, in bytes
};

/// Collects what parser and verifier find, so that one call reports many errors.
class Diagnostics {
 public:
  /// A file of garbage would otherwise give one message per line.
  static constexpr std::size_t kMaxCount = 100;

  /// Keeps the first kMaxCount; the rest is only counted.
  void add(Diagnostic diagnostic);

  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] bool full() const { return all_.size() >= kMaxCount; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }

  /// For people: every diagnostic with its place and, given the text, the line and a caret.
  [[nodiscard]] std::string render(std::string_view text) const;

  /// As one error, for callers that can only pass one on: a single diagnostic keeps its place, and
  /// with the text it shows line and caret; several are rendered one after another. Not for an
  /// empty collection.
  [[nodiscard]] Error to_error(std::string_view text = {}) const;

 private:
  std::vector<Diagnostic> all_;
  std::size_t dropped_ = 0;
};

}  // namespace pliant
