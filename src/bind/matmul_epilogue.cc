#include "bind/matmul_epilogue.h"

#include "bind/result_strides.h"

namespace pliant::bind {
namespace {

using kernels::gemm::EpilogueOperand;
using kernels::gemm::MatMulArguments;
using kernels::gemm::MatMulEpilogue;

/// Merges the axes of `view`, which has the shape of the product, as those of the product were
/// merged into rows and batch axes. Which axes went together follows from their extents.
std::optional<EpilogueOperand> merged(const TensorView& view, const MatMulArguments& g,
                                      bool has_rows) {
  EpilogueOperand operand;
  operand.data = view.as<std::byte>();
  std::size_t axis = view.shape.size() - 1;
  operand.column_stride = view.strides[axis];
  std::int64_t rows = 1;
  if (has_rows) {
    --axis;
    rows = view.shape[axis];
    operand.row_stride = view.strides[axis];
  }
  int batch = g.batch.count - 1;
  std::int64_t batch_extent = 1;
  while (axis-- > 0) {
    const std::int64_t extent = view.shape[axis];
    const std::int64_t stride = view.strides[axis];
    if (extent == 1) {
      continue;
    }
    const bool is_row = rows < g.m;
    std::int64_t& so_far = is_row ? rows : batch_extent;
    std::int64_t& merged_stride = is_row ? operand.row_stride : operand.batch[batch];
    if (so_far == 1) {
      merged_stride = stride;
    } else if (stride != so_far * merged_stride) {
      return std::nullopt;
    }
    so_far *= extent;
    if (!is_row && batch_extent == g.batch.extent[batch]) {
      --batch;
      batch_extent = 1;
    }
  }
  return operand;
}

}  // namespace

std::optional<MatMulEpilogue> matmul_epilogue(const EpilogueRequest& request,
                                              const MatMulArguments& g, const TensorView& dst,
                                              bool has_rows) {
  constexpr std::int64_t kShortestRow = 16;
  if (g.n < kShortestRow || request.operands.size() > kernels::gemm::kMaxEpilogueOperands ||
      request.results.size() > kernels::gemm::kMaxEpilogueResults) {
    return std::nullopt;
  }
  MatMulEpilogue epilogue;
  epilogue.chain = &request.group->chain();
  for (std::size_t i = 0; i < request.operands.size(); ++i) {
    const auto operand =
        merged(i == 0 ? dst : broadcast_view(request.operands[i], dst.shape), g, has_rows);
    if (!operand || (operand->column_stride != 0 && operand->column_stride != 1)) {
      return std::nullopt;
    }
    epilogue.operands[i] = *operand;
  }
  for (std::size_t r = 0; r < request.results.size(); ++r) {
    const TensorView& result = request.results[r];
    if (!(result.shape == dst.shape)) {
      return std::nullopt;
    }
    const auto operand = merged(result, g, has_rows);
    if (!operand || operand->column_stride != 1) {
      return std::nullopt;
    }
    epilogue.results[r] = *operand;
  }
  return epilogue;
}

}  // namespace pliant::bind
