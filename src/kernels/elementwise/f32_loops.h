#pragma once

#include "kernels/elementwise/elementwise.h"

namespace pliant::kernels {

// The vectorised f32 loop of a function at each CPU level, or null (kernels.inc lists both).
#define F32_LOOPS(Level, space)                                   \
  namespace space {                                               \
  [[nodiscard]] DenseLoop f32_loop(ElementwiseFunction function); \
  }
#include "kernels/elementwise/kernels.inc"

}  // namespace pliant::kernels
