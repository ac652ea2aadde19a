#include <type_traits>

#include "base/half.h"
#include "kernels/creation/creation.h"
#include "kernels/movement/element_word.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

constexpr std::int64_t kGrain = 4 << 10;

/// The position that an index means in 0..depth-1, or -1 when it is outside.
template <class T>
std::int64_t position_in(T index, std::int64_t depth) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return position_in(to_float(index), depth);
  } else if constexpr (std::is_floating_point_v<T>) {
    // Compared before converting: NaN and what does not fit are outside.
    const bool fits = index > static_cast<T>(-0x1p62) && index < static_cast<T>(0x1p62);
    return fits ? position_in(static_cast<std::int64_t>(index), depth) : -1;
  } else if constexpr (std::is_unsigned_v<T>) {
    return index < static_cast<std::uint64_t>(depth) ? static_cast<std::int64_t>(index) : -1;
  } else {
    const auto wide = static_cast<std::int64_t>(index);
    return wide >= -depth && wide < depth ? (wide < 0 ? wide + depth : wide) : -1;
  }
}

}  // namespace

void one_hot(const OneHotArguments& arguments, const KernelContext& context) {
  fill(FillArguments{arguments.off, arguments.target,
                     arguments.outer * arguments.depth * arguments.inner, arguments.element_size},
       context);
  const std::int64_t depth = arguments.depth;
  const std::int64_t inner = arguments.inner;
  const auto mark = [&](auto index_zero, auto word_zero) {
    using Index = decltype(index_zero);
    using Word = decltype(word_zero);
    const Index* indices = static_cast<const Index*>(arguments.indices);
    const Word on = *static_cast<const Word*>(arguments.on);
    Word* target = static_cast<Word*>(arguments.target);
    context.parallel.run(arguments.outer * inner, kGrain,
                         [&](std::int64_t begin, std::int64_t end, int) {
                           for (std::int64_t i = begin; i < end; ++i) {
                             const std::int64_t position = position_in(indices[i], depth);
                             if (position >= 0) {
                               target[(i / inner * depth + position) * inner + i % inner] = on;
                             }
                           }
                         });
  };
  visit_dtype(arguments.index_dtype, [&](auto index_zero) {
    visit_word(arguments.element_size, [&](auto word_zero) { mark(index_zero, word_zero); });
  });
}

}  // namespace pliant::kernels
