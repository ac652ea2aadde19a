#include "kernels/gather/gather.h"

#include <algorithm>
#include <cstring>

#include "kernels/movement/element_word.h"
#include "kernels/movement/index_walk.h"

namespace pliant::kernels {
namespace {

constexpr std::int64_t kGrainBytes = 32 << 10;

template <class Word>
void copy_line(Word* target, const Word* source, std::int64_t stride, std::int64_t length) {
  if (length == 1) {
    *target = *source;
  } else if (stride == 1) {
    std::memcpy(target, source, static_cast<std::size_t>(length) * sizeof(Word));
  } else {
    for (std::int64_t j = 0; j < length; ++j) {
      target[j] = source[j * stride];
    }
  }
}

template <class Word, class Index>
void gather_lines(const GatherArguments& arguments, const void* index_memory,
                  ParallelFor& parallel) {
  const Word* x = static_cast<const Word*>(arguments.x);
  const Index* indices = static_cast<const Index*>(index_memory);
  Word* target = static_cast<Word*>(arguments.target);
  const std::int64_t length = arguments.length;
  // The last axis of the lines is an inner loop of its own.
  Shape outer = arguments.shape;
  Strides x_strides = arguments.x_strides;
  Strides index_strides = arguments.index_strides;
  const std::int64_t row = outer.back();
  const std::int64_t x_step = x_strides.back();
  const std::int64_t index_step = index_strides.back();
  outer.erase_at(outer.size() - 1);
  x_strides.erase_at(x_strides.size() - 1);
  index_strides.erase_at(index_strides.size() - 1);
  const std::int64_t grain = std::max<std::int64_t>(
      1, kGrainBytes / (length * static_cast<std::int64_t>(sizeof(Word)) + 16));
  parallel.run(
      element_count(arguments.shape), grain, [&](std::int64_t begin, std::int64_t end, int) {
        IndexWalk<2> walk(outer, {x_strides, index_strides}, begin / row);
        std::int64_t first = begin % row;
        for (std::int64_t line = begin; line < end;) {
          const std::int64_t count = std::min(row - first, end - line);
          const Word* from = x + walk.offset(0) + first * x_step;
          const Index* index = indices + walk.offset(1) + first * index_step;
          for (std::int64_t i = 0; i < count; ++i) {
            copy_line(target + (line + i) * length, from + tuple_offset(index, arguments.tuple),
                      arguments.line_stride, length);
            from += x_step;
            index += index_step;
          }
          line += count;
          first = 0;
          walk.next();
        }
      });
}

}  // namespace

void gather(const GatherArguments& arguments, const KernelContext& context) {
  const void* indices = arguments.indices != nullptr ? arguments.indices : context.scratch;
  visit_word(arguments.element_size, [&](auto zero) {
    using Word = decltype(zero);
    if (arguments.index_size == 4) {
      gather_lines<Word, std::int32_t>(arguments, indices, context.parallel);
    } else {
      gather_lines<Word, std::int64_t>(arguments, indices, context.parallel);
    }
  });
}

}  // namespace pliant::kernels
