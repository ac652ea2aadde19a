#pragma once

#include <cstddef>
#include <cstdint>

#include <pliant/dtype.h>

#include "tensor/shape.h"

namespace pliant {

/// A tensor that somebody else owns: where its first element is, and how to reach the others.
/// `data` may be null when the tensor has no elements.
struct TensorView {
  void* data = nullptr;
  DType dtype = DType::kF32;
  Shape shape;
  Strides strides;  ///< in elements, as many as `shape`

  [[nodiscard]] int rank() const { return static_cast<int>(shape.size()); }
  [[nodiscard]] std::int64_t element_count() const { return pliant::element_count(shape); }
  [[nodiscard]] bool is_contiguous() const { return pliant::is_contiguous(shape, strides); }
  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(data);
  }
};

/// A row-major view over memory.
[[nodiscard]] inline TensorView contiguous_view(void* data, DType dtype, const Shape& shape) {
  return TensorView{data, dtype, shape, contiguous_strides(shape)};
}

}  // namespace pliant
