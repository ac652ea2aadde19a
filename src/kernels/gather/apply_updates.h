#pragma once

#include <cstdint>

#include "tensor/dtype.h"

namespace pliant::kernels {

/// How an update meets the element that is there.
enum class UpdateRule : std::uint8_t { kReplace, kAdd, kMultiply, kMaximum, kMinimum };

/// element[i * element_stride] meets update[i * update_stride] for i in [0, count), in this order.
using ApplyUpdates = void (*)(void* elements, std::int64_t element_stride, const void* updates,
                              std::int64_t update_stride, std::int64_t count);

/// The function for a type. Integers wrap; bool adds as "or" and multiplies as "and"; f16 and bf16
/// compute in f32 and round after every update; maximum and minimum are NaN if either is.
[[nodiscard]] ApplyUpdates apply_updates(DType dtype, UpdateRule rule);

}  // namespace pliant::kernels
