#pragma once

#include <cstdint>

#include "kernels/kernel.h"

namespace pliant::kernels {

// The one order in which this project sums up (and multiplies, and takes the maximum of) many
// numbers, at every CPU level, for every stride and thread count:
//
//   element k, counted in row-major order over the reduced axes, belongs to block k / 1024 and there
//   to lane k % 16; a lane starts with the identity and takes its elements in order;
//   lanes fold as a tree: i with i + 8, then i + 4, i + 2, i + 1;
//   the totals of blocks follow one another in f64 (64-bit integers for integers).
//
// The lanes suit vectors; the blocks bound the rounding error of a long sum by that of about 70
// additions. When several neighbouring results are computed at once ("columns"), each of them has
// its own 16 lanes, so it gets the same bits.
inline constexpr std::int64_t kReductionLanes = 16;
inline constexpr std::int64_t kReductionBlock = 1024;
inline constexpr std::int64_t kReductionColumns = 64;

/// One per row of block_reductions.inc.
enum class BlockReduction : std::uint8_t {
#define BLOCK_REDUCTION(Name) k##Name,
#include "kernels/reduce/block_reductions.inc"
};

/// `count` <= kReductionBlock neighbours to one number. `shift` is subtracted
/// before e^x or a squared deviation is taken.
template <class T>
using ReduceBlock = T (*)(const T* block, std::int64_t count, T shift);

/// The same for `columns` <= kReductionColumns neighbouring results at once: element k of column j
/// is base[offsets[k] + j].
struct ColumnBlock {
  const float* base = nullptr;
  const std::int64_t* offsets = nullptr;
  std::int64_t count = 0;
  std::int64_t columns = 0;
  const float* shifts = nullptr;  ///< per column; only read where `shift` is
  float* results = nullptr;
};
using ReduceColumns = void (*)(const ColumnBlock&);

// Vectorised block reductions of f32 at each CPU level.
#define REDUCTION_KERNELS(Level, space)                                    \
  namespace space {                                                        \
  [[nodiscard]] ReduceBlock<float> reduce_block(BlockReduction reduction); \
  [[nodiscard]] ReduceColumns reduce_columns(BlockReduction reduction);    \
  }
#include "kernels/reduce/kernels.inc"

[[nodiscard]] ReduceBlock<float> find_reduce_block(BlockReduction reduction, CpuLevel level);
[[nodiscard]] ReduceColumns find_reduce_columns(BlockReduction reduction, CpuLevel level);

/// The plain form of the same order, for f64 and 64-bit integers; for f32 it is the reference.
template <class T>
[[nodiscard]] ReduceBlock<T> scalar_reduce_block(BlockReduction reduction);

}  // namespace pliant::kernels
