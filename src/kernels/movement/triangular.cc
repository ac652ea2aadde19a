#include "kernels/movement/triangular.h"

#include <algorithm>

#include "kernels/movement/element_word.h"
#include "kernels/movement/index_walk.h"

namespace pliant::kernels {
namespace {

constexpr std::int64_t kGrainBytes = 32 << 10;

template <class Word>
void triangular_rows(const TriangularArguments& arguments, ParallelFor& parallel) {
  const Word* x = static_cast<const Word*>(arguments.x);
  Word* target = static_cast<Word*>(arguments.target);
  const std::int64_t columns = arguments.shape.back();
  const std::int64_t stride = arguments.x_strides.back();
  Shape outer = arguments.shape;
  Strides outer_strides = arguments.x_strides;
  outer.erase_at(outer.size() - 1);
  outer_strides.erase_at(outer_strides.size() - 1);
  const std::int64_t grain =
      std::max<std::int64_t>(1, kGrainBytes / (columns * static_cast<std::int64_t>(sizeof(Word))));
  const bool keeps_upper = arguments.side == KeptSide::kUpper;
  parallel.run(element_count(outer), grain, [&](std::int64_t begin, std::int64_t end, int) {
    IndexWalk<1> walk(outer, {outer_strides}, begin);
    for (std::int64_t line = begin; line < end; ++line) {
      const std::int64_t on_diagonal = walk.index().back() + arguments.diagonal;
      const std::int64_t first =
          keeps_upper ? std::clamp<std::int64_t>(on_diagonal, 0, columns) : 0;
      const std::int64_t last =
          keeps_upper ? columns : std::clamp<std::int64_t>(on_diagonal + 1, 0, columns);
      Word* row = target + line * columns;
      const Word* from = x + walk.offset(0);
      std::fill(row, row + first, Word{0});
      for (std::int64_t i = first; i < last; ++i) {
        row[i] = from[i * stride];
      }
      std::fill(row + last, row + columns, Word{0});
      walk.next();
    }
  });
}

}  // namespace

void triangular(const TriangularArguments& arguments, const KernelContext& context) {
  visit_word(arguments.element_size,
             [&](auto zero) { triangular_rows<decltype(zero)>(arguments, context.parallel); });
}

}  // namespace pliant::kernels
