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

MatMulEpilogueChoice matmul_epilogue(const EpilogueRequest& request, const MatMulArguments& g,
                                     const TensorView& dst, bool has_rows) {
  constexpr std::int64_t kShortestRow = 16;
  if (g.n < kShortestRow) {
    return {{}, "rows of fewer than 16 columns are not worth it"};
  }
  if (request.operands.size() > kernels::gemm::kMaxEpilogueOperands ||
      request.results.size() > kernels::gemm::kMaxEpilogueResults) {
    return {{}, "too many operands or results"};
  }
  MatMulEpilogueChoice choice;
  MatMulEpilogue& epilogue = choice.epilogue.emplace();
  epilogue.chain = &request.group->chain();
  for (std::size_t i = 0; i < request.operands.size(); ++i) {
    const auto operand =
        merged(i == 0 ? dst : broadcast_view(request.operands[i], dst.shape), g, has_rows);
    if (!operand) {
      return {{}, "the axes of an operand do not fall together as those of the product"};
    }
    if (operand->column_stride != 0 && operand->column_stride != 1) {
      return {{}, "the columns of an operand are no neighbours in memory"};
    }
    epilogue.operands[i] = *operand;
  }
  for (std::size_t r = 0; r < request.results.size(); ++r) {
    const TensorView& result = request.results[r];
    if (!(result.shape == dst.shape)) {
      return {{}, "a result is larger than the product"};
    }
    const auto operand = merged(result, g, has_rows);
    if (!operand || operand->column_stride != 1) {
      return {{}, "a result does not lie in memory as the product does"};
    }
    epilogue.results[r] = *operand;
  }
  return choice;
}

}  // namespace pliant::bind
