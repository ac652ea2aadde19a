#pragma once

#include <string>
#include <vector>

#include <pliant/result.h>
#include <pliant/tensor.h>

namespace pliant::testing {

/// Where outputs differ first, in type, shape or a bit; empty if nowhere.
[[nodiscard]] std::string bit_difference(const std::vector<Tensor>& expected,
                                         const std::vector<Tensor>& actual);

/// The same of two answers to one request: errors have to have the same words.
[[nodiscard]] std::string bit_difference(const Result<std::vector<Tensor>>& expected,
                                         const Result<std::vector<Tensor>>& actual);

}  // namespace pliant::testing
