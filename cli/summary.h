#pragma once

#include <string>
#include <vector>

#include <pliant/tensor.h>

namespace pliant::cli {

/// "f32[2, 3]".
[[nodiscard]] std::string describe(const Tensor& tensor);

/// What is in a tensor, on one line: all values of a small one, else the range and mean, and how
/// many are NaN or infinite if any are.
[[nodiscard]] std::string summarise(const Tensor& tensor);

/// Lays rows out in columns, left-aligned, two spaces between.
[[nodiscard]] std::string format_table(std::vector<std::vector<std::string>> rows);

}  // namespace pliant::cli
