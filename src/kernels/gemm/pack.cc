#include <emmintrin.h>
#include <xmmintrin.h>

#include <algorithm>
#include <cstring>

#include "kernels/gemm/gemm.h"

namespace pliant::kernels::gemm {
namespace {

/// Columns are neighbours: every row of the panel is a copy.
void pack_rows(const float* from, std::int64_t row_stride, std::int64_t k, std::int64_t count,
               std::int64_t panel_columns, float* panel) {
  if (count == panel_columns) {  // a multiple of four
    for (std::int64_t i = 0; i < k; ++i) {
      for (std::int64_t j = 0; j < panel_columns; j += 4) {
        _mm_storeu_ps(panel + j, _mm_loadu_ps(from + j));
      }
      from += row_stride;
      panel += panel_columns;
    }
    return;
  }
  for (std::int64_t i = 0; i < k; ++i) {
    std::memcpy(panel, from, static_cast<std::size_t>(count) * sizeof(float));
    std::fill(panel + count, panel + panel_columns, 0.0f);
    from += row_stride;
    panel += panel_columns;
  }
}

/// Rows are neighbours (B is the transpose of a row-major matrix): 4 x 4 blocks turn in registers.
void pack_columns(const float* from, std::int64_t column_stride, std::int64_t k, std::int64_t count,
                  std::int64_t panel_columns, float* panel) {
  std::int64_t j = 0;
  for (; j + 4 <= count; j += 4) {
    const float* column = from + j * column_stride;
    float* to = panel + j;
    std::int64_t i = 0;
    for (; i + 4 <= k; i += 4) {
      __m128 c0 = _mm_loadu_ps(column + i);
      __m128 c1 = _mm_loadu_ps(column + column_stride + i);
      __m128 c2 = _mm_loadu_ps(column + 2 * column_stride + i);
      __m128 c3 = _mm_loadu_ps(column + 3 * column_stride + i);
      _MM_TRANSPOSE4_PS(c0, c1, c2, c3);
      _mm_storeu_ps(to + i * panel_columns, c0);
      _mm_storeu_ps(to + (i + 1) * panel_columns, c1);
      _mm_storeu_ps(to + (i + 2) * panel_columns, c2);
      _mm_storeu_ps(to + (i + 3) * panel_columns, c3);
    }
    for (; i < k; ++i) {
      for (std::int64_t c = 0; c < 4; ++c) {
        to[i * panel_columns + c] = column[c * column_stride + i];
      }
    }
  }
  for (; j < panel_columns; ++j) {
    for (std::int64_t i = 0; i < k; ++i) {
      panel[i * panel_columns + j] = j < count ? from[j * column_stride + i] : 0.0f;
    }
  }
}

}  // namespace

void pack_panel(const MatrixView& b, std::int64_t k, std::int64_t column, std::int64_t count,
                std::int64_t panel_columns, float* panel) {
  const float* from = b.data + column * b.column_stride;
  if (b.column_stride == 1) {
    pack_rows(from, b.row_stride, k, count, panel_columns, panel);
    return;
  }
  if (b.row_stride == 1) {
    pack_columns(from, b.column_stride, k, count, panel_columns, panel);
    return;
  }
  for (std::int64_t i = 0; i < k; ++i) {
    for (std::int64_t j = 0; j < panel_columns; ++j) {
      panel[i * panel_columns + j] =
          j < count ? from[i * b.row_stride + j * b.column_stride] : 0.0f;
    }
  }
}

void pack_b(const MicroKernels& kernels, const MatrixView& b, std::int64_t k, std::int64_t n,
            float* panels, ParallelFor& parallel) {
  constexpr std::int64_t kElementsPerPiece = 32 << 10;  // about 10 us
  const std::int64_t columns = kernels.columns;
  const std::int64_t grain =
      std::max<std::int64_t>(1, kElementsPerPiece / std::max<std::int64_t>(1, k * columns));
  parallel.run(panel_count(kernels, n), grain, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t p = begin; p < end; ++p) {
      pack_panel(b, k, p * columns, std::min(columns, n - p * columns), columns,
                 panels + p * k * columns);
    }
  });
}

}  // namespace pliant::kernels::gemm
