#pragma once

#include <cstdint>

#include "kernels/convolution/convolution.h"

namespace pliant::kernels::convolution {

/// How a channels-last convolution walks over x: pieces of K that are neighbours in memory.
struct Walk {
  bool merged = false;              ///< a piece is a whole filter row, else one tap
  std::int64_t segments = 0;        ///< pieces per result pixel
  std::int64_t segment_length = 0;  ///< elements of a piece
  std::int64_t block_rows = 0;      ///< result pixels that share one table of pointers

  [[nodiscard]] std::int64_t pointer_count() const { return segments * block_rows; }
  /// Floats for the copies of pieces that stick out into the padding.
  [[nodiscard]] std::int64_t patch_elements() const {
    return merged ? segments * segment_length * block_rows : 0;
  }
};

[[nodiscard]] Walk choose_walk(const ConvolutionShape& shape);

/// Fills pointers[segment * walk.block_rows + i] for result pixels first + i, 0 <= i < count, of
/// the group whose first channel is `x`. x_strides[1] must be 1. `zeros` has segment_length zeros.
void fill_pointers(const ConvolutionShape& shape, const Walk& walk, const float* x,
                   std::int64_t first, std::int64_t count, const float* zeros, float* patches,
                   const float** pointers);

}  // namespace pliant::kernels::convolution
