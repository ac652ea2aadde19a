#pragma once

#include <string>

#include "kernels/gemm/matmul.h"

namespace pliant::bind {

/// How an f32, f16 or bf16 product is carried out, for people: the tiles, the form of its right-hand
/// side, and what is split over threads, each with what decided it.
[[nodiscard]] std::string describe_product(const kernels::gemm::MatMulArguments& arguments,
                                           DType dtype, CpuLevel level);

}  // namespace pliant::bind
