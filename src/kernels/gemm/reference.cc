#include "kernels/gemm/reference.h"

#include <cmath>

namespace pliant::kernels::gemm {

float reference_element(CpuLevel level, const MatrixView& a, const MatrixView& b, std::int64_t k,
                        std::int64_t i, std::int64_t j, float start) {
  float chain = start;
  for (std::int64_t step = 0; step < k; ++step) {
    const float x = a.data[i * a.row_stride + step * a.column_stride];
    const float y = b.data[step * b.row_stride + j * b.column_stride];
    chain = level == CpuLevel::kPortable ? x * y + chain : std::fma(x, y, chain);
  }
  return chain;
}

}  // namespace pliant::kernels::gemm
