#pragma once

#include <cstdint>

#include "kernels/kernel.h"

namespace pliant::kernels {

/// One per ROW_FUNCTION row of isa/instructions.def.
enum class RowFunction : std::uint8_t { kSoftmax, kLogSoftmax, kHardmax };

/// y = function(x) over `count` >= 1 neighbours; x and y may be the same memory. The sum of
/// exponentials is taken in the order of reduce/block_reduction.h.
template <class T>
using ApplyToRow = void (*)(const T* x, T* y, std::int64_t count);

// The vectorised f32 forms at each CPU level.
#define SOFTMAX_KERNELS(Level, space)                                 \
  namespace space {                                                   \
  void softmax_row(const float* x, float* y, std::int64_t count);     \
  void log_softmax_row(const float* x, float* y, std::int64_t count); \
  }
#include "kernels/softmax/kernels.inc"

[[nodiscard]] ApplyToRow<float> find_row_function(RowFunction function, CpuLevel level);

/// The plain form: the loops of f64, and of functions that have no vectorised form.
template <class T>
[[nodiscard]] ApplyToRow<T> scalar_row_function(RowFunction function);

}  // namespace pliant::kernels
