#pragma once

#include <cstdint>

#include "kernels/gemm/matmul.h"

namespace pliant::kernels::gemm {

[[nodiscard]] inline std::int64_t batch_count(const BatchAxes& axes) {
  std::int64_t count = 1;
  for (int axis = 0; axis < axes.count; ++axis) {
    count *= axes.extent[axis];
  }
  return count;
}

/// The axes along which b has distinct matrices.
[[nodiscard]] inline BatchAxes axes_of_b(const BatchAxes& axes) {
  BatchAxes distinct;
  for (int axis = 0; axis < axes.count; ++axis) {
    if (axes.b[axis] != 0) {
      distinct.extent[distinct.count] = axes.extent[axis];
      distinct.b[distinct.count] = axes.b[axis];
      distinct.packed_b[distinct.count] = axes.packed_b[axis];
      ++distinct.count;
    }
  }
  return distinct;
}

/// Gives the distinct matrices of b places one after the other, each of so many elements; returns
/// how many elements all take.
[[nodiscard]] inline std::int64_t lay_out_packed(BatchAxes& axes, std::int64_t elements) {
  for (int axis = axes.count - 1; axis >= 0; --axis) {
    const bool distinct = axes.b[axis] != 0;
    axes.packed_b[axis] = distinct ? elements : 0;
    elements *= distinct ? axes.extent[axis] : 1;
  }
  return elements;
}

/// Where the matrices of one batch index begin, in elements.
struct BatchOffsets {
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t c = 0;
  std::int64_t packed_b = 0;
};
[[nodiscard]] inline BatchOffsets batch_offsets(const BatchAxes& axes, std::int64_t index) {
  BatchOffsets offsets;
  for (int axis = axes.count - 1; axis >= 0; --axis) {
    const std::int64_t position = index % axes.extent[axis];
    index /= axes.extent[axis];
    offsets.a += position * axes.a[axis];
    offsets.b += position * axes.b[axis];
    offsets.c += position * axes.c[axis];
    offsets.packed_b += position * axes.packed_b[axis];
  }
  return offsets;
}

}  // namespace pliant::kernels::gemm
