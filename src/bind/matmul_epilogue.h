#pragma once

#include <optional>

#include "bind/elementwise_group.h"
#include "kernels/gemm/epilogue.h"

namespace pliant::bind {

/// The requested group as an epilogue of the f32 product `g`, whose result is `dst` with (or, after
/// a vector, without) an axis of rows. Empty where an operand's axes do not fall together as those
/// of the product did, where rows are too short to be worth it, and where there are too many
/// operands.
[[nodiscard]] std::optional<kernels::gemm::MatMulEpilogue> matmul_epilogue(
    const EpilogueRequest& request, const kernels::gemm::MatMulArguments& g, const TensorView& dst,
    bool has_rows);

}  // namespace pliant::bind
