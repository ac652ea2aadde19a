#pragma once

#include <cstdint>

#include "base/cpu_features.h"

namespace pliant::kernels::resize {

/// Sums of weighted rows: y[i] = sum over taps of weights[t * table_stride] * x[indices[t * table_stride] * row_stride + i].
struct BlendArguments {
  const float* x = nullptr;
  std::int64_t row_stride = 0;
  const std::int64_t* indices = nullptr;
  const float* weights = nullptr;
  std::int64_t table_stride = 0;
  std::int64_t taps = 0;
  std::int64_t count = 0;  ///< elements of a row
  float* y = nullptr;
};

/// Sums of weighted elements of one row:
/// y[j] = sum over taps of weights[t * table_stride + j] * x[indices[t * table_stride + j]]. row_stride is not used.
using Blend = void (*)(const BlendArguments&);

struct BlendKernels {
  Blend rows;
  Blend within_row;
};

#define BLEND_KERNELS(Level, space)        \
  namespace space {                        \
  extern const BlendKernels kBlendKernels; \
  }
#include "kernels/resize/kernels.inc"

[[nodiscard]] inline const BlendKernels& blend_kernels(CpuLevel level) {
#define BLEND_KERNELS(Level, space) \
  if (level == CpuLevel::Level) {   \
    return space::kBlendKernels;    \
  }
#include "kernels/resize/kernels.inc"
  return portable::kBlendKernels;
}

}  // namespace pliant::kernels::resize
