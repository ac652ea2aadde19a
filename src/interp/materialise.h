#pragma once

#include <pliant/result.h>

#include "interp/frame.h"
#include "tensor/stored_tensor.h"

namespace pliant::interp {

/// New row-major memory from the pool; fails when the size overflows or passes a limit.
[[nodiscard]] Result<StoredTensor> allocate_tensor(Run& run, DType dtype, const Shape& shape);

/// A row-major copy with memory of its own.
[[nodiscard]] Result<StoredTensor> copy_to_row_major(Run& run, const TensorView& source);

/// A number as a 0-d i64 tensor with memory of its own.
[[nodiscard]] Result<StoredTensor> scalar_tensor(Run& run, std::int64_t value);

/// The value of an operand with a share in its memory. Sizes are given memory of their own.
[[nodiscard]] Result<TensorRegister> tensor_value(Run& run, const TensorSource& source);

/// The value of a size register or symbol that stands as a tensor.
[[nodiscard]] std::int64_t scalar_value(const Run& run, const TensorSource& source);

}  // namespace pliant::interp
