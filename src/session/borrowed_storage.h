#pragma once

#include <pliant/tensor.h>

#include "tensor/stored_tensor.h"

namespace pliant::session {

/// The caller's tensor as the program sees it, without copying: its memory is shared for the run.
/// Memory that is not aligned for the element type is copied, since kernels read whole elements.
[[nodiscard]] Result<StoredTensor> borrow_tensor(const Tensor& tensor);

/// A tensor of a run as the caller sees it; keeps the memory alive, also after the session is gone.
/// The tensor must be row-major.
[[nodiscard]] Result<Tensor> hand_out(const StoredTensor& tensor);

}  // namespace pliant::session
