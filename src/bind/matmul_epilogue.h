#pragma once

#include <optional>
#include <string_view>

#include "bind/elementwise_group.h"
#include "kernels/gemm/epilogue.h"

namespace pliant::bind {

/// An epilogue, or why there is none.
struct MatMulEpilogueChoice {
  std::optional<kernels::gemm::MatMulEpilogue> epilogue;
  std::string_view refusal;
};

/// The requested group as an epilogue of the f32 product `g`, whose result is `dst` with (or, after
/// a vector, without) an axis of rows. Refused where an operand's axes do not fall together as those
/// of the product did, where rows are too short to be worth it, and where there are too many
/// operands.
[[nodiscard]] MatMulEpilogueChoice matmul_epilogue(const EpilogueRequest& request,
                                                   const kernels::gemm::MatMulArguments& g,
                                                   const TensorView& dst, bool has_rows);

}  // namespace pliant::bind
