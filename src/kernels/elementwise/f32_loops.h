#pragma once

#include "kernels/elementwise/elementwise.h"

namespace pliant::kernels {

// The vectorised f32 loop of a function at each CPU level, or null (f32_functions.inc lists them).
namespace portable {
[[nodiscard]] DenseLoop f32_loop(ElementwiseFunction function);
}
namespace avx2 {
[[nodiscard]] DenseLoop f32_loop(ElementwiseFunction function);
}
namespace avx512 {
[[nodiscard]] DenseLoop f32_loop(ElementwiseFunction function);
}

}  // namespace pliant::kernels
