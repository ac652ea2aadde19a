#pragma once

#include <string>
#include <vector>

#include <pliant/result.h>

namespace pliant::testing {

/// The cases that are known not to pass, with reasons. One a line:
///
///   [static:|dynamised:]name-or-prefix*   reason
///
/// Without a mode the line speaks of both. Empty lines and lines that start with '#' are comments.
class ExpectedFailures {
 public:
  [[nodiscard]] static Result<ExpectedFailures> read(const std::string& path,
                                                     const std::string& mode);

  /// The reason why this case is expected to fail, or null.
  [[nodiscard]] const std::string* reason(const std::string& case_name);
  /// Lines for this mode that no case has asked about: they are out of date.
  [[nodiscard]] std::vector<std::string> unused() const;

 private:
  struct Line {
    std::string pattern;
    std::string reason;
    bool used = false;
  };
  std::vector<Line> lines_;
};

}  // namespace pliant::testing
