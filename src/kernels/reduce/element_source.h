#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/elementwise/elementwise.h"
#include "kernels/reduce/block_reduction.h"
#include "kernels/reduce/reduced_axes.h"

namespace pliant::kernels {

/// The input of a reduction: elements of any type and strides, handed out block by block as
/// neighbours of the type that the reduction computes in.
struct ElementSource {
  const std::byte* data = nullptr;
  int element_bytes = 0;
  DenseLoop convert = nullptr;  ///< to the computing type, or null if the elements have it
};

/// Memory for one block; on the stack of whoever reduces.
struct BlockMemory {
  alignas(64) std::byte raw[kReductionBlock * 8];
  alignas(64) std::byte converted[kReductionBlock * 8];
  std::int64_t offsets[kReductionBlock];
};

/// Elements [first, first + count) of the result that begins at element `start` of the input;
/// count <= kReductionBlock. Points into the input where that is possible, else into `memory`.
[[nodiscard]] const void* read_block(const ElementSource& source, const ReducedAxes& axes,
                                     std::int64_t start, std::int64_t first, std::int64_t count,
                                     BlockMemory& memory);

/// Writes `count` results, computed in the type that `convert` (if any) converts from, to where the
/// kept axes say; result `first` of the axes is the first of them.
struct ResultTarget {
  std::byte* data = nullptr;
  int element_bytes = 0;
  DenseLoop convert = nullptr;
};
void write_results(const ResultTarget& target, const ReducedAxes& axes, std::int64_t first,
                   std::int64_t count, const void* values);

}  // namespace pliant::kernels
