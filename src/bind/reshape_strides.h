#pragma once

#include <optional>

#include "tensor/shape.h"

namespace pliant::bind {

/// Strides that show the elements of a strided tensor, in row-major order, under another shape of
/// as many elements; empty when no strides do and the elements must be copied first.
[[nodiscard]] std::optional<Strides> reshape_strides(const Shape& from, const Strides& from_strides,
                                                     const Shape& to);

}  // namespace pliant::bind
