#pragma once

#include "base/cpu_features.h"
#include "kernels/gemm/gemm.h"

namespace pliant::kernels::gemm {

/// Element (i, j) of start + a * b for any strides: the chain that every fast kernel of the level
/// must reproduce to the last bit.
[[nodiscard]] float reference_element(CpuLevel level, const MatrixView& a, const MatrixView& b,
                                      std::int64_t k, std::int64_t i, std::int64_t j, float start);

}  // namespace pliant::kernels::gemm
