#pragma once

#include <cstdint>

#include "kernels/kernel.h"

namespace pliant::kernels {

/// y[i] = (x[i] - mean) * inverse * scale[i] + bias[i]; a null scale is 1, a null bias 0. x and y may
/// be the same memory.
template <class T>
struct ScaleRow {
  const T* x = nullptr;
  T* y = nullptr;
  std::int64_t count = 0;
  T mean = 0;
  T inverse = 1;
  const T* scale = nullptr;
  const T* bias = nullptr;
};
/// y[i] = (x[i] - mean) * factor + bias.
template <class T>
struct ScaleSegment {
  const T* x = nullptr;
  T* y = nullptr;
  std::int64_t count = 0;
  T mean = 0;
  T factor = 1;
  T bias = 0;
};

// The vectorised f32 forms at each CPU level.
#define NORMALISE_KERNELS(Level, space)                   \
  namespace space {                                       \
  void scale_row(const ScaleRow<float>& row);             \
  void scale_segment(const ScaleSegment<float>& segment); \
  }
#include "kernels/normalise/kernels.inc"

}  // namespace pliant::kernels
