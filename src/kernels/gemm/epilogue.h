#pragma once

#include "kernels/elementwise/chain.h"
#include "kernels/gemm/matmul.h"

// MATMUL of f32 followed by elementwise functions (bias, activation, residual), which run on each
// piece of the product while it is in cache.

namespace pliant::kernels::gemm {

inline constexpr int kMaxEpilogueOperands = 8;
inline constexpr int kMaxEpilogueResults = 2;

/// An operand or a result of the chain over the rows, columns and batch axes of the product;
/// strides in elements, 0 where it is broadcast.
struct EpilogueOperand {
  std::byte* data = nullptr;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 0;
  std::int64_t batch[BatchAxes::kMaxCount] = {};
};

struct MatMulEpilogue {
  const Chain* chain = nullptr;
  EpilogueOperand operands[kMaxEpilogueOperands];  ///< the first is the product
  EpilogueOperand results[kMaxEpilogueResults];    ///< may be the product or another operand
};

struct MatMulWithEpilogueArguments {
  MatMulArguments product;
  MatMulEpilogue epilogue;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    product.each_address(visit);
    for (auto& operand : epilogue.operands) {
      visit(operand.data);
    }
    for (auto& result : epilogue.results) {
      visit(result.data);
    }
  }
};

/// The bits of matmul_f32() and elementwise_chain() one after the other. Needs the scratch memory
/// of matmul_f32(). Threads: as matmul_f32().
void matmul_f32_with_epilogue(const MatMulWithEpilogueArguments& arguments,
                              const KernelContext& context);

}  // namespace pliant::kernels::gemm
