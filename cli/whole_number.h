#pragma once

#include <CLI/CLI.hpp>

namespace pliant::cli {

/// Refuses numbers below 0 and above 2^63 - 1, which CLI11 would wrap around or cut. Words
/// that do not start with a number, and units behind one, are left to the option. Given by
/// transform(), after other transformations, it sees the text first.
[[nodiscard]] CLI::Validator whole_number();

}  // namespace pliant::cli
