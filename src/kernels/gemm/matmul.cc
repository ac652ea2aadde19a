#include "kernels/gemm/matmul.h"

#include "base/check.h"

namespace pliant::kernels::gemm {
namespace {

struct Row {
  DType dtype;
  MatMulKernel kernel;
};
constexpr Row kRows[] = {
    {DType::kF32, matmul_f32},
    {DType::kF16, matmul_f16},
    {DType::kBF16, matmul_bf16},
    {DType::kF64, matmul_generic<double>},
    {DType::kU8, matmul_generic<std::uint8_t>},
    {DType::kI8, matmul_generic<std::uint8_t>},
    {DType::kU16, matmul_generic<std::uint16_t>},
    {DType::kI16, matmul_generic<std::uint16_t>},
    {DType::kU32, matmul_generic<std::uint32_t>},
    {DType::kI32, matmul_generic<std::uint32_t>},
    {DType::kU64, matmul_generic<std::uint64_t>},
    {DType::kI64, matmul_generic<std::uint64_t>},
};

}  // namespace

MatMulKernel matmul_kernel(DType dtype) {
  for (const Row& row : kRows) {
    if (row.dtype == dtype) {
      return row.kernel;
    }
  }
  PLIANT_CHECK(false);
  return nullptr;
}

}  // namespace pliant::kernels::gemm
