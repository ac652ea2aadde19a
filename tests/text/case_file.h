#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pliant/result.h>

namespace pliant::testing {

/// How a line of an expected plan starts.
inline constexpr std::string_view kPlanLine = ";   ";

/// What a comment of a case asks for.
struct Expectation {
  enum class Kind { kRun, kFails, kError, kPlan };
  Kind kind = Kind::kRun;
  int line = 0;      ///< of the file
  std::string text;  ///< behind "run:", "fails:" or "error:"; the passes of "plan …:"
  /// kPlan: what the following lines of `kPlanLine` and text say, each with a line end.
  std::string plan;
};

/// One program of a test file.
struct Case {
  std::string name;
  int line = 0;  ///< of the `;;;`
  /// The program, with empty lines in front so that its lines have the numbers of the file.
  std::string program;
  std::vector<Expectation> expectations;
};

/// Splits a file at its `;;; name` lines. Errors: kIo; kSyntax for text before the first case.
[[nodiscard]] Result<std::vector<Case>> read_cases(const std::string& path);

}  // namespace pliant::testing
