#pragma once

#include "kernels/elementwise/elementwise.h"

namespace pliant::kernels::avx2 {

/// Vectorised conversion between f32 and a 16-bit float, the same bits as base/half.h; null for
/// other pairs. For AVX2 and above.
[[nodiscard]] DenseLoop half_conversion(DType from, DType to);

}  // namespace pliant::kernels::avx2
