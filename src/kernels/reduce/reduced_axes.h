#pragma once

#include <cstdint>

#include "tensor/view.h"

namespace pliant::kernels {

/// The elements of a tensor seen as results (one per position of the kept axes) of many elements
/// each (the reduced axes, in row-major order). Axes that lie together are merged.
struct ReducedAxes {
  struct Axis {
    std::int64_t extent = 1;
    std::int64_t stride = 0;         ///< in the input, in elements
    std::int64_t result_stride = 0;  ///< kept axes: in the result
  };
  Axis kept[kMaxRank];
  int kept_rank = 0;
  Axis reduced[kMaxRank];
  int reduced_rank = 0;
  std::int64_t result_count = 1;   ///< product of the kept extents
  std::int64_t reduced_count = 1;  ///< product of the reduced extents
  /// Neighbouring results have neighbouring elements: the last kept axis has stride 1 in the input.
  bool has_columns = false;
};

/// `reduced[i]` says whether axis i of x is reduced. `result` has the rank of x, with extent 1 at
/// the reduced axes (broadcast strides do not matter there). The kept axes may be visited in any
/// order: one with stride 1 comes last.
[[nodiscard]] ReducedAxes make_reduced_axes(const TensorView& x, const bool (&reduced)[kMaxRank],
                                            const Strides& result);

/// Where a result's elements begin in the input, and where it goes.
struct ResultPosition {
  std::int64_t input = 0;
  std::int64_t result = 0;
};
[[nodiscard]] ResultPosition position_of_result(const ReducedAxes& axes, std::int64_t index);

/// Offsets of elements [first, first + count) of a result from its beginning.
void offsets_of_elements(const ReducedAxes& axes, std::int64_t first, std::int64_t count,
                         std::int64_t* offsets);

}  // namespace pliant::kernels
