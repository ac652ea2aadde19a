#pragma once

#include <cstddef>
#include <vector>

namespace pliant::plan {

/// A stretch of memory that is needed from one step to another, both included.
struct Block {
  std::size_t bytes = 0;
  int first_step = 0;
  int last_step = 0;
  std::size_t offset = 0;  ///< found by MemoryAssignment, a multiple of kBlockAlignment
  bool operator==(const Block&) const = default;
};
inline constexpr std::size_t kBlockAlignment = 64;

/// Sums over the blocks that one step needs.
struct MemoryNeed {
  std::size_t bytes = 0;
  std::size_t aligned_bytes = 0;
};

/// Gives every block a place such that no two that are needed at the same time overlap: the largest
/// first, each at the lowest free offset. Where this takes more than a tenth above the lower bound
/// (and what alignment costs), other orders are tried until one is good enough: at most 200, and
/// fewer where there are very many blocks (kMostPlacings). Keeps its memory from call to call; used
/// by one thread at a time.
/// Source: greedy by size, Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net
/// Inference", 2020, arXiv:2001.03288.
class MemoryAssignment {
 public:
  /// Fills in the offsets; returns the bytes of the whole. The same for the same blocks, which are
  /// below 2^48 bytes each.
  [[nodiscard]] std::size_t assign(std::vector<Block>& blocks);

  /// How often assign() gives some block a place, however many orders that makes; but each block gets
  /// one, so the first order is complete whatever it takes.
  static constexpr std::size_t kMostPlacings = std::size_t{1} << 17U;
  /// How often the last assign() did.
  [[nodiscard]] std::size_t placings() const { return placings_; }

 private:
  struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// An element of a list of placed blocks.
  struct Link {
    Stretch stretch;
    int next = -1;
  };
  /// Lists of the placed blocks that a step needs, into links_; -1: empty.
  struct Placed {
    int needed_before = -1;  ///< those that the step before needs, too
    int first_needed = -1;
  };

  /// When a block is placed.
  struct Turn {
    std::size_t bytes = 0;  ///< aligned
    int block = 0;
  };
  static bool comes_before(const Turn& a, const Turn& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.block < b.block;
  }

  void sort_by_size(const std::vector<Block>& blocks);
  [[nodiscard]] bool keeps_order(const std::vector<Block>& blocks);
  /// Places the blocks in order_; returns the bytes of the whole.
  [[nodiscard]] std::size_t place(const std::vector<Block>& blocks);
  void find_neighbours(const Block& block);
  void note_placed(const Block& block, const Stretch& stretch);

  std::vector<Turn> order_;
  std::vector<std::size_t> offsets_;       ///< by block, of the last assignment tried
  std::vector<std::size_t> best_offsets_;  ///< of the best one
  std::size_t placings_ = 0;
  std::size_t highest_ = 0;  ///< position in order_ of the first block that nothing is above

  std::vector<Link> links_;
  std::size_t link_count_ = 0;       ///< of links_ in use
  std::vector<Placed> placed_at_;    ///< by step
  std::vector<Stretch> neighbours_;  ///< of blocks needed when another is, by beginning
  std::vector<MemoryNeed> needs_;
};

/// The largest sum of blocks that are needed at the same time: no assignment takes less.
[[nodiscard]] std::size_t memory_lower_bound(const std::vector<Block>& blocks);

}  // namespace pliant::plan
