#include "kernels/movement/pad.h"

#include <algorithm>
#include <cstring>

#include "kernels/movement/element_word.h"
#include "kernels/movement/index_walk.h"

namespace pliant::kernels {
namespace {

constexpr std::int64_t kGrainBytes = 32 << 10;

/// Position in x of a position in the result, or -1 for a constant border.
std::int64_t source_position(BorderRule rule, const PaddedAxis& axis, std::int64_t position) {
  const std::int64_t inner = position - axis.before;
  if (inner >= 0 && inner < axis.count) {
    return axis.first + inner;
  }
  switch (rule) {
    case BorderRule::kConstant:
      return -1;
    case BorderRule::kReflect:
      return axis.first + (inner < 0 ? -inner : 2 * (axis.count - 1) - inner);
    case BorderRule::kEdge:
      return axis.first + (inner < 0 ? 0 : axis.count - 1);
    case BorderRule::kWrap: {
      const std::int64_t rest = inner % axis.count;
      return axis.first + (rest < 0 ? rest + axis.count : rest);
    }
  }
  __builtin_unreachable();
}

/// Border elements of a line, one by one.
template <class Word>
void border(const PadArguments& arguments, const Word* x, Word value, Word* target,
            std::int64_t begin, std::int64_t end) {
  const std::size_t last = arguments.shape.size() - 1;
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t position = source_position(arguments.rule, arguments.axes[last], i);
    target[i] = position < 0 ? value : x[position * arguments.x_strides[last]];
  }
}

template <class Word>
void pad_line(const PadArguments& arguments, const Word* x, Word value, Word* target) {
  const std::size_t last = arguments.shape.size() - 1;
  const PaddedAxis& axis = arguments.axes[last];
  const std::int64_t length = arguments.shape[last];
  const std::int64_t middle = std::clamp<std::int64_t>(axis.before, 0, length);
  const std::int64_t middle_end =
      std::clamp<std::int64_t>(axis.before + axis.count, middle, length);
  border(arguments, x, value, target, 0, middle);
  const std::int64_t stride = arguments.x_strides[last];
  const Word* from = x + (axis.first + middle - axis.before) * stride;
  if (stride == 1) {
    std::memcpy(target + middle, from,
                static_cast<std::size_t>(middle_end - middle) * sizeof(Word));
  } else {
    for (std::int64_t i = 0; i < middle_end - middle; ++i) {
      target[middle + i] = from[i * stride];
    }
  }
  border(arguments, x, value, target, middle_end, length);
}

template <class Word>
void pad_lines(const PadArguments& arguments, ParallelFor& parallel) {
  const Word* x = static_cast<const Word*>(arguments.x);
  Word* target = static_cast<Word*>(arguments.target);
  const Word value =
      arguments.value != nullptr ? *static_cast<const Word*>(arguments.value) : Word{0};
  const std::size_t last = arguments.shape.size() - 1;
  const std::int64_t length = arguments.shape[last];
  Shape outer = arguments.shape;
  outer.erase_at(last);
  // Where nothing of x is left, all is border and x may have no memory.
  const bool all_border =
      std::any_of(arguments.axes.begin(), arguments.axes.begin() + arguments.shape.size(),
                  [](const PaddedAxis& axis) { return axis.count == 0; });
  const std::int64_t grain =
      std::max<std::int64_t>(1, kGrainBytes / (length * static_cast<std::int64_t>(sizeof(Word))));
  parallel.run(element_count(outer), grain, [&](std::int64_t begin, std::int64_t end, int) {
    IndexWalk<0> walk(outer, {}, begin);
    for (std::int64_t line = begin; line < end; ++line) {
      std::int64_t offset = 0;
      bool is_border = all_border;
      for (std::size_t axis = 0; axis < last && !is_border; ++axis) {
        const std::int64_t position =
            source_position(arguments.rule, arguments.axes[axis], walk.index()[axis]);
        is_border = position < 0;
        offset += position * arguments.x_strides[axis];
      }
      if (is_border) {
        std::fill_n(target + line * length, length, value);
      } else {
        pad_line(arguments, x + offset, value, target + line * length);
      }
      walk.next();
    }
  });
}

}  // namespace

void pad(const PadArguments& arguments, const KernelContext& context) {
  visit_word(arguments.element_size,
             [&](auto zero) { pad_lines<decltype(zero)>(arguments, context.parallel); });
}

}  // namespace pliant::kernels
