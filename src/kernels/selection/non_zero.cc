#include "kernels/selection/non_zero.h"

#include <algorithm>

#include "kernels/movement/element_word.h"
#include "kernels/movement/index_walk.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

/// Elements below which a piece is not worth cutting.
constexpr std::int64_t kMinPiece = 4 << 10;

/// Elements after which a piece asks whether to go on.
constexpr std::int64_t kElementsPerQuestion = 64 << 10;

/// Bits of an element that make it different from zero: all, but for the sign of a float.
std::uint64_t value_bits(DType dtype) {
  const std::uint64_t all = ~std::uint64_t{0};
  const auto bits = static_cast<unsigned>(8 * byte_size(dtype));
  return is_float(dtype) ? all ^ (std::uint64_t{1} << (bits - 1)) : all;
}

/// Calls `found(walk)` for elements [begin, end) in row-major order that are not zero.
template <class Found>
void for_each_non_zero(const TensorView& x, std::int64_t begin, std::int64_t end,
                       const ParallelFor& parallel, Found found) {
  visit_word(static_cast<std::int64_t>(byte_size(x.dtype)), [&](auto zero) {
    using Word = decltype(zero);
    const auto mask = static_cast<Word>(value_bits(x.dtype));
    IndexWalk<1> walk(x.shape, {x.strides}, begin);
    for (std::int64_t i = begin; i < end; ++i) {
      if (i % kElementsPerQuestion == 0 && parallel.is_stopped()) {
        return;
      }
      if ((x.as<Word>()[walk.offset(0)] & mask) != 0) {
        found(walk);
      }
      walk.next();
    }
  });
}

template <class Word>
std::int64_t count_row_major(const Word* values, Word mask, std::int64_t count) {
  std::int64_t found = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    found += (values[i] & mask) != 0 ? 1 : 0;
  }
  return found;
}

std::int64_t count_piece(const TensorView& x, std::int64_t begin, std::int64_t end,
                         const ParallelFor& parallel) {
  if (x.is_contiguous()) {
    return visit_word(static_cast<std::int64_t>(byte_size(x.dtype)), [&](auto zero) {
      using Word = decltype(zero);
      std::int64_t found = 0;
      for (std::int64_t i = begin; i < end && !parallel.is_stopped(); i += kElementsPerQuestion) {
        found += count_row_major(x.as<Word>() + i, static_cast<Word>(value_bits(x.dtype)),
                                 std::min(end - i, kElementsPerQuestion));
      }
      return found;
    });
  }
  std::int64_t found = 0;
  for_each_non_zero(x, begin, end, parallel, [&](const IndexWalk<1>&) { ++found; });
  return found;
}

}  // namespace

std::int64_t count_non_zero(const TensorView& x, const ParallelFor& parallel) {
  const std::int64_t count = x.element_count();
  return count == 0 ? 0 : count_piece(x, 0, count, parallel);
}

void non_zero(const NonZeroArguments& arguments, const KernelContext& context) {
  const TensorView& x = arguments.x;
  const std::int64_t count = x.element_count();
  const std::int64_t pieces = std::clamp<std::int64_t>(count / kMinPiece, 1, kNonZeroPieces);
  const auto piece_begin = [&](std::int64_t piece) {
    return piece * (count / pieces) + std::min(piece, count % pieces);
  };
  auto* first = reinterpret_cast<std::int64_t*>(context.scratch);
  context.parallel.run(pieces, 1, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t piece = begin; piece < end; ++piece) {
      first[piece] = count_piece(x, piece_begin(piece), piece_begin(piece + 1), context.parallel);
    }
  });
  if (context.parallel.is_stopped()) {
    return;  // nobody may write where these counts say
  }
  std::int64_t sum = 0;
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    const std::int64_t found = first[piece];
    first[piece] = sum;
    sum += found;
  }
  context.parallel.run(pieces, 1, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t piece = begin; piece < end; ++piece) {
      std::int64_t position = first[piece];
      for_each_non_zero(
          x, piece_begin(piece), piece_begin(piece + 1), context.parallel,
          [&](const IndexWalk<1>& walk) {
            for (std::size_t axis = 0; axis < x.shape.size(); ++axis) {
              arguments.target[static_cast<std::int64_t>(axis) * arguments.found + position] =
                  walk.index()[axis];
            }
            ++position;
          });
    }
  });
}

}  // namespace pliant::kernels
