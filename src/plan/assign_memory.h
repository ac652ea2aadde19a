#pragma once

#include <cstddef>
#include <vector>

namespace pliant::plan {

/// A stretch of memory that is needed from one step to another, both included.
struct Block {
  std::size_t bytes = 0;
  int first_step = 0;
  int last_step = 0;
  std::size_t offset = 0;  ///< found by assign_memory(), a multiple of kBlockAlignment
};
inline constexpr std::size_t kBlockAlignment = 64;

/// Gives every block a place such that no two that are needed at the same time overlap: the largest
/// first, each at the lowest free offset. Returns the bytes of the whole.
/// Source: greedy by size, Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net
/// Inference", 2020, arXiv:2001.03288.
[[nodiscard]] std::size_t assign_memory(std::vector<Block>& blocks);

/// The largest sum of blocks that are needed at the same time: no assignment takes less.
[[nodiscard]] std::size_t memory_lower_bound(const std::vector<Block>& blocks);

}  // namespace pliant::plan
