#pragma once

#include <cstdint>

#include "base/cpu_features.h"

namespace pliant::kernels::pooling {

/// A row of results that are combined from the same taps: neighbours along channels (step 1) or along
/// width (step = stride). Element j of tap t is taps[t][j * step].
struct RowArguments {
  const float* const* taps = nullptr;
  std::int64_t tap_count = 0;
  std::int64_t count = 0;
  std::int64_t step = 1;
  float* y = nullptr;    ///< stride 1
  float divisor = 1.0f;  ///< of a mean
};

/// One row kernel per level for each way of combining.
struct RowKernels {
  void (*maximum)(const RowArguments&);
  void (*mean)(const RowArguments&);
};

#define ROW_KERNELS(Level, space)      \
  namespace space {                    \
  extern const RowKernels kRowKernels; \
  }
#include "kernels/pooling/kernels.inc"

[[nodiscard]] inline const RowKernels& row_kernels(CpuLevel level) {
#define ROW_KERNELS(Level, space) \
  if (level == CpuLevel::Level) { \
    return space::kRowKernels;    \
  }
#include "kernels/pooling/kernels.inc"
  return portable::kRowKernels;
}

}  // namespace pliant::kernels::pooling
