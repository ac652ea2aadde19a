// MATMUL of f64 and of integers: one plain blocked loop.

#include <algorithm>
#include <type_traits>

#include "kernels/gemm/batch_axes.h"
#include "kernels/gemm/matmul.h"

namespace pliant::kernels::gemm {
namespace {

constexpr std::int64_t kBlockRows = 8;
constexpr std::int64_t kBlockColumns = 64;

/// Multiplies without promoting to a signed type: u16 * u16 as int would overflow.
template <class T>
T multiply(T a, T b) {
  if constexpr (std::is_integral_v<T> && sizeof(T) < 4) {
    return static_cast<T>(std::uint32_t{a} * std::uint32_t{b});
  } else {
    return a * b;
  }
}

/// Steps along k after which a product asks whether to go on.
constexpr std::int64_t kStepsPerQuestion = 1 << 12;

/// rows <= kBlockRows, columns <= kBlockColumns.
template <class T>
void multiply_block(const MatMulArguments& g, const T* a, const T* b, T* c, std::int64_t rows,
                    std::int64_t columns, const ParallelFor& parallel) {
  T sums[kBlockRows][kBlockColumns] = {};
  T row_of_b[kBlockColumns] = {};
  for (std::int64_t k = 0; k < g.k; ++k) {
    if (k % kStepsPerQuestion == 0 && parallel.is_stopped()) {
      return;
    }
    const T* from = b + k * g.b_k_stride;
    if (g.b_column_stride == 1) {
      std::copy(from, from + columns, row_of_b);
    } else {
      for (std::int64_t j = 0; j < columns; ++j) {
        row_of_b[j] = from[j * g.b_column_stride];
      }
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      const T element = a[i * g.a_row_stride + k * g.a_k_stride];
      for (std::int64_t j = 0; j < kBlockColumns; ++j) {
        sums[i][j] = static_cast<T>(sums[i][j] + multiply(element, row_of_b[j]));
      }
    }
  }
  for (std::int64_t i = 0; i < rows; ++i) {
    std::copy(sums[i], sums[i] + columns, c + i * g.c_row_stride);
  }
}

}  // namespace

template <class T>
void matmul_generic(const MatMulArguments& g, const KernelContext& context) {
  const std::int64_t row_blocks = (g.m + kBlockRows - 1) / kBlockRows;
  const std::int64_t column_blocks = (g.n + kBlockColumns - 1) / kBlockColumns;
  const std::int64_t blocks = row_blocks * column_blocks;
  constexpr std::int64_t kWorkPerPiece = 64 << 10;
  const std::int64_t work = std::max<std::int64_t>(1, kBlockRows * kBlockColumns * g.k);
  const std::int64_t grain = std::max<std::int64_t>(1, kWorkPerPiece / work);
  context.parallel.run(
      batch_count(g.batch) * blocks, grain, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t at = begin; at < end; ++at) {
          const BatchOffsets offsets = batch_offsets(g.batch, at / blocks);
          const std::int64_t row = at % blocks / column_blocks * kBlockRows;
          const std::int64_t column = at % column_blocks * kBlockColumns;
          multiply_block(g, static_cast<const T*>(g.a) + offsets.a + row * g.a_row_stride,
                         static_cast<const T*>(g.b) + offsets.b + column * g.b_column_stride,
                         static_cast<T*>(g.c) + offsets.c + row * g.c_row_stride + column,
                         std::min(kBlockRows, g.m - row), std::min(kBlockColumns, g.n - column),
                         context.parallel);
        }
      });
}

template void matmul_generic<double>(const MatMulArguments&, const KernelContext&);
template void matmul_generic<std::uint8_t>(const MatMulArguments&, const KernelContext&);
template void matmul_generic<std::uint16_t>(const MatMulArguments&, const KernelContext&);
template void matmul_generic<std::uint32_t>(const MatMulArguments&, const KernelContext&);
template void matmul_generic<std::uint64_t>(const MatMulArguments&, const KernelContext&);

}  // namespace pliant::kernels::gemm
