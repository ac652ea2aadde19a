#pragma once

#include <cstdint>

#include "tensor/shape.h"

namespace pliant::kernels {

// Where the element with a row-major number is, found by division: the plain way that references
// take. Kernels walk instead (index_walk.h).

/// Its index along an axis.
[[nodiscard]] inline std::int64_t index_along(const Shape& shape, std::size_t axis,
                                              std::int64_t number) {
  for (std::size_t later = shape.size() - 1; later > axis; --later) {
    number /= shape[later];
  }
  return number % shape[axis];
}

/// Its offset from element 0, in elements.
[[nodiscard]] inline std::int64_t element_offset(const Shape& shape, const Strides& strides,
                                                 std::int64_t number) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    offset += index_along(shape, axis, number) * strides[axis];
  }
  return offset;
}

}  // namespace pliant::kernels
