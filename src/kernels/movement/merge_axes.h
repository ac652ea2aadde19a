#pragma once

#include <initializer_list>

#include "tensor/shape.h"

namespace pliant::kernels {

/// Drops axes of extent 1 and joins neighbouring axes that one longer axis can stand for in every
/// one of the layouts. At least one axis is left. The order of elements stays.
inline void merge_axes(Shape& shape, std::initializer_list<Strides*> layouts) {
  std::size_t kept = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) {
      continue;
    }
    bool joins = kept > 0;
    for (const Strides* strides : layouts) {
      joins = joins && (*strides)[kept - 1] == (*strides)[axis] * shape[axis];
    }
    if (joins) {
      --kept;
      shape[kept] *= shape[axis];
    } else {
      shape[kept] = shape[axis];
    }
    for (Strides* strides : layouts) {
      (*strides)[kept] = (*strides)[axis];
    }
    ++kept;
  }
  const bool is_single = kept == 0;
  shape.resize(is_single ? 0 : kept);
  shape.resize(is_single ? 1 : kept, 1);
  for (Strides* strides : layouts) {
    strides->resize(is_single ? 0 : kept);
    strides->resize(is_single ? 1 : kept, 0);
  }
}

}  // namespace pliant::kernels
