#pragma once

#include <cstdint>

#include "base/function_ref.h"
#include "tensor/view.h"

namespace pliant {

/// True for integers and bool.
[[nodiscard]] bool holds_integers(DType dtype);

/// Calls `visit` with each element in row-major order, whatever the strides; for tensors that say
/// sizes, which are small. The type must hold integers; u64 above 2^63 - 1 is given as 2^63 - 1.
void for_each_integer(const TensorView& view, FunctionRef<void(std::int64_t)> visit);

/// The same for any type of numbers.
void for_each_real(const TensorView& view, FunctionRef<void(double)> visit);

}  // namespace pliant
