#pragma once

#include <emmintrin.h>

#include <algorithm>
#include <cstdint>

namespace pliant::kernels {

/// Elements per side of the tiles that a transposing copy works on: a tile's rows and columns fill
/// whole cache lines on both sides and fit the first-level cache for every element size.
inline constexpr std::int64_t kTransposeTile = 32;

/// target[r * target_stride + c] = source[c * source_stride + r] for r in [0, rows), c in [0,
/// columns).
template <class Word>
void transpose_block(const Word* source, std::int64_t source_stride, Word* target,
                     std::int64_t target_stride, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      target[r * target_stride + c] = source[c * source_stride + r];
    }
  }
}

/// Four by four elements at a time in registers.
inline void transpose_block(const std::uint32_t* source, std::int64_t source_stride,
                            std::uint32_t* target, std::int64_t target_stride, std::int64_t rows,
                            std::int64_t columns) {
  const std::int64_t whole_rows = rows - rows % 4;
  const std::int64_t whole_columns = columns - columns % 4;
  for (std::int64_t r = 0; r < whole_rows; r += 4) {
    for (std::int64_t c = 0; c < whole_columns; c += 4) {
      const std::uint32_t* from = source + c * source_stride + r;
      __m128 a = _mm_loadu_ps(reinterpret_cast<const float*>(from));
      __m128 b = _mm_loadu_ps(reinterpret_cast<const float*>(from + source_stride));
      __m128 d = _mm_loadu_ps(reinterpret_cast<const float*>(from + 2 * source_stride));
      __m128 e = _mm_loadu_ps(reinterpret_cast<const float*>(from + 3 * source_stride));
      _MM_TRANSPOSE4_PS(a, b, d, e);
      std::uint32_t* to = target + r * target_stride + c;
      _mm_storeu_ps(reinterpret_cast<float*>(to), a);
      _mm_storeu_ps(reinterpret_cast<float*>(to + target_stride), b);
      _mm_storeu_ps(reinterpret_cast<float*>(to + 2 * target_stride), d);
      _mm_storeu_ps(reinterpret_cast<float*>(to + 3 * target_stride), e);
    }
  }
  // What is left: a strip on the right of the whole rows, then the last rows.
  transpose_block<std::uint32_t>(source + whole_columns * source_stride, source_stride,
                                 target + whole_columns, target_stride, whole_rows,
                                 columns - whole_columns);
  transpose_block<std::uint32_t>(source + whole_rows, source_stride,
                                 target + whole_rows * target_stride, target_stride,
                                 rows - whole_rows, columns);
}

}  // namespace pliant::kernels
