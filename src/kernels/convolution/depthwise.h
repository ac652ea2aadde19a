#pragma once

#include <cstdint>

#include "base/cpu_features.h"

namespace pliant::kernels::convolution {

inline constexpr int kDepthwiseRows = 4;  ///< result pixels that share each load of the filter

/// Up to kDepthwiseRows result pixels of a depthwise convolution, all channels.
/// y[i, c] = bias[c] + sum over taps of pixels[tap * pointer_stride + i][c] * filter[tap * channels
/// + c].
struct DepthwiseArguments {
  std::int64_t taps = 0;
  std::int64_t channels = 0;
  const float* const* pixels = nullptr;
  std::int64_t pointer_stride = 0;
  const float* filter = nullptr;  ///< [taps, channels]
  const float* bias = nullptr;    ///< [channels] or null
  float* y = nullptr;             ///< [rows, channels]
  std::int64_t y_row_stride = 0;
};

/// By the number of rows; 0 is empty.
using DepthwiseKernels = void (*const (&)[kDepthwiseRows + 1])(const DepthwiseArguments&);

#define DEPTHWISE_KERNELS(Level, space)                                           \
  namespace space {                                                               \
  extern void (*const kDepthwise[kDepthwiseRows + 1])(const DepthwiseArguments&); \
  }
#include "kernels/convolution/kernels.inc"

[[nodiscard]] inline DepthwiseKernels depthwise_kernels(CpuLevel level) {
#define DEPTHWISE_KERNELS(Level, space) \
  if (level == CpuLevel::Level) {       \
    return space::kDepthwise;           \
  }
#include "kernels/convolution/kernels.inc"
  return portable::kDepthwise;
}

}  // namespace pliant::kernels::convolution
