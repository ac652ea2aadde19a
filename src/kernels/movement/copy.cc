#include "kernels/movement/copy.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "kernels/movement/element_word.h"
#include "kernels/movement/index_walk.h"
#include "kernels/movement/transpose_block.h"

namespace pliant::kernels {
namespace {

/// Bytes below which one more thread costs more than it brings.
constexpr std::int64_t kGrainBytes = 64 << 10;

/// The index space after dropping axes of extent 1, ordering by target stride and merging.
struct CopyNest {
  Shape shape;
  Strides source;
  Strides target;

  void remove(std::size_t axis) {
    shape.erase_at(axis);
    source.erase_at(axis);
    target.erase_at(axis);
  }
};

CopyNest simplified(const CopyArguments& arguments) {
  std::array<std::size_t, kMaxRank> order{};
  std::size_t rank = 0;
  for (std::size_t axis = 0; axis < arguments.shape.size(); ++axis) {
    if (arguments.shape[axis] != 1) {
      order[rank++] = axis;
    }
  }
  // Writing in memory order matters more than reading in it.
  std::stable_sort(order.begin(), order.begin() + rank, [&](std::size_t a, std::size_t b) {
    return std::abs(arguments.target_strides[a]) > std::abs(arguments.target_strides[b]);
  });
  CopyNest nest;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t extent = arguments.shape[order[i]];
    const std::int64_t source = arguments.source_strides[order[i]];
    const std::int64_t target = arguments.target_strides[order[i]];
    if (!nest.shape.empty() && nest.source.back() == source * extent &&
        nest.target.back() == target * extent) {
      nest.shape.back() *= extent;
      nest.source.back() = source;
      nest.target.back() = target;
    } else {
      nest.shape.push_back(extent);
      nest.source.push_back(source);
      nest.target.push_back(target);
    }
  }
  return nest;
}

/// Copies `count` elements along one axis.
template <class Word>
void copy_line(const Word* source, std::int64_t source_stride, Word* target,
               std::int64_t target_stride, std::int64_t count) {
  if (source_stride == 1 && target_stride == 1) {
    if (count * static_cast<std::int64_t>(sizeof(Word)) >= 64) {
      std::memcpy(target, source, static_cast<std::size_t>(count) * sizeof(Word));
    } else {
      for (std::int64_t i = 0; i < count; ++i) {
        target[i] = source[i];
      }
    }
  } else if (source_stride == 0 && target_stride == 1) {
    std::fill_n(target, count, *source);
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      target[i * target_stride] = source[i * source_stride];
    }
  }
}

/// The innermost axis of the nest as lines, cut into pieces when it is long.
template <class Word>
void copy_lines(CopyNest nest, const Word* source, Word* target, ParallelFor& parallel) {
  const std::int64_t length = nest.shape.back();
  const std::int64_t source_stride = nest.source.back();
  const std::int64_t target_stride = nest.target.back();
  nest.remove(nest.shape.size() - 1);
  const std::int64_t piece = kGrainBytes / static_cast<std::int64_t>(sizeof(Word));
  const std::int64_t pieces = (length + piece - 1) / piece;
  const std::int64_t lines = element_count(nest.shape);
  const std::int64_t grain = std::max<std::int64_t>(1, piece / std::max<std::int64_t>(length, 1));
  parallel.run(lines * pieces, grain, [&](std::int64_t begin, std::int64_t end, int) {
    IndexWalk<2> walk(nest.shape, {nest.source, nest.target}, begin / pieces);
    std::int64_t part = begin % pieces;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = part * piece;
      copy_line(source + walk.offset(0) + first * source_stride, source_stride,
                target + walk.offset(1) + first * target_stride, target_stride,
                std::min(piece, length - first));
      if (++part == pieces) {
        part = 0;
        walk.next();
      }
    }
  });
}

/// The innermost axis is dense in the target, `row_axis` in the source: tile by tile.
template <class Word>
void copy_transposed(CopyNest nest, std::size_t row_axis, const Word* source, Word* target,
                     ParallelFor& parallel) {
  const std::int64_t columns = nest.shape.back();
  const std::int64_t column_stride = nest.source.back();
  nest.remove(nest.shape.size() - 1);
  const std::int64_t rows = nest.shape[row_axis];
  const std::int64_t row_stride = nest.target[row_axis];
  nest.remove(row_axis);
  const std::int64_t strips = (rows + kTransposeTile - 1) / kTransposeTile;
  const std::int64_t strip_bytes =
      std::min(rows, kTransposeTile) * columns * static_cast<std::int64_t>(sizeof(Word));
  const std::int64_t grain = std::max<std::int64_t>(1, kGrainBytes / strip_bytes);
  parallel.run(
      element_count(nest.shape) * strips, grain, [&](std::int64_t begin, std::int64_t end, int) {
        IndexWalk<2> walk(nest.shape, {nest.source, nest.target}, begin / strips);
        std::int64_t strip = begin % strips;
        for (std::int64_t i = begin; i < end; ++i) {
          const std::int64_t row = strip * kTransposeTile;
          for (std::int64_t column = 0; column < columns; column += kTransposeTile) {
            transpose_block(source + walk.offset(0) + row + column * column_stride, column_stride,
                            target + walk.offset(1) + row * row_stride + column, row_stride,
                            std::min(kTransposeTile, rows - row),
                            std::min(kTransposeTile, columns - column));
          }
          if (++strip == strips) {
            strip = 0;
            walk.next();
          }
        }
      });
}

template <class Word>
void copy_nest(const CopyNest& nest, const Word* source, Word* target, ParallelFor& parallel) {
  if (nest.shape.empty()) {
    *target = *source;
    return;
  }
  const std::size_t last = nest.shape.size() - 1;
  if (nest.target[last] == 1 && nest.source[last] != 1 && nest.source[last] != 0) {
    for (std::size_t axis = 0; axis < last; ++axis) {
      // A few rows would leave tiles mostly empty.
      if (nest.source[axis] == 1 && nest.shape[axis] >= 4) {
        copy_transposed(nest, axis, source, target, parallel);
        return;
      }
    }
  }
  copy_lines(nest, source, target, parallel);
}

}  // namespace

void copy_strided(const CopyArguments& arguments, const KernelContext& context) {
  if (element_count(arguments.shape) == 0) {
    return;
  }
  const CopyNest nest = simplified(arguments);
  visit_word(arguments.element_size, [&](auto word) {
    using Word = decltype(word);
    copy_nest(nest, static_cast<const Word*>(arguments.source),
              static_cast<Word*>(arguments.target), context.parallel);
  });
}

}  // namespace pliant::kernels
