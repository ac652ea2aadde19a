#include "kernels/movement/tile.h"

#include <algorithm>
#include <cstring>

#include "kernels/movement/element_word.h"
#include "kernels/movement/index_walk.h"

namespace pliant::kernels {
namespace {

constexpr std::int64_t kGrainBytes = 32 << 10;

/// One period of a line from x, then what is written already is doubled until the line is full.
template <class Word>
void tile_line(const Word* x, std::int64_t stride, std::int64_t period, Word* target,
               std::int64_t length) {
  if (period == 1) {
    std::fill_n(target, length, *x);
    return;
  }
  if (stride == 1) {
    std::memcpy(target, x, static_cast<std::size_t>(period) * sizeof(Word));
  } else {
    for (std::int64_t i = 0; i < period; ++i) {
      target[i] = x[i * stride];
    }
  }
  for (std::int64_t done = period; done < length;) {
    const std::int64_t more = std::min(done, length - done);
    std::memcpy(target + done, target, static_cast<std::size_t>(more) * sizeof(Word));
    done += more;
  }
}

template <class Word>
void tile_lines(const TileArguments& arguments, ParallelFor& parallel) {
  const Word* x = static_cast<const Word*>(arguments.x);
  Word* target = static_cast<Word*>(arguments.target);
  const std::size_t last = arguments.shape.size() - 1;
  const std::int64_t period = arguments.shape[last];
  const std::int64_t length = period * arguments.repeats[last];
  Shape outer;
  for (std::size_t axis = 0; axis < last; ++axis) {
    outer.push_back(arguments.shape[axis] * arguments.repeats[axis]);
  }
  const std::int64_t grain =
      std::max<std::int64_t>(1, kGrainBytes / (length * static_cast<std::int64_t>(sizeof(Word))));
  parallel.run(element_count(outer), grain, [&](std::int64_t begin, std::int64_t end, int) {
    IndexWalk<0> walk(outer, {}, begin);
    for (std::int64_t line = begin; line < end; ++line) {
      std::int64_t offset = 0;
      for (std::size_t axis = 0; axis < last; ++axis) {
        offset += walk.index()[axis] % arguments.shape[axis] * arguments.x_strides[axis];
      }
      tile_line(x + offset, arguments.x_strides[last], period, target + line * length, length);
      walk.next();
    }
  });
}

}  // namespace

void tile(const TileArguments& arguments, const KernelContext& context) {
  visit_word(arguments.element_size,
             [&](auto zero) { tile_lines<decltype(zero)>(arguments, context.parallel); });
}

}  // namespace pliant::kernels
