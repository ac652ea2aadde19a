#pragma once

#include <cstdint>

#include <pliant/tensor.h>

namespace pliant::cli {

/// Element `index` in row-major order as a number; f16 and bf16 exactly, 64-bit integers rounded.
[[nodiscard]] double element_value(const Tensor& tensor, std::int64_t index);

/// Writes a number to element `index` in the tensor's type: integers are truncated, floats rounded.
void set_element(Tensor& tensor, std::int64_t index, double value);

}  // namespace pliant::cli
