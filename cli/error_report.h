#pragma once

#include <pliant/result.h>

#include "cli/commands.h"

namespace pliant::cli {

/// Prints an error to stderr; when its place is in a text file, with the line and a caret. Returns
/// the exit code that fits.
ExitCode report(const Error& error);

/// "model.pasm:12:8" taken apart; the line and column are 0 when `where` has another form.
struct TextPlace {
  std::string path;
  int line = 0;
  int column = 0;
};
[[nodiscard]] TextPlace text_place(const std::string& where);

}  // namespace pliant::cli
