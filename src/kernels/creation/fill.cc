#include <algorithm>

#include "kernels/creation/creation.h"
#include "kernels/movement/element_word.h"

namespace pliant::kernels {
namespace {

constexpr std::int64_t kGrain = 16 << 10;

}  // namespace

void store_numbers(const StoreNumbersArguments& arguments, const KernelContext& context) {
  static_cast<void>(context);
  std::copy(arguments.numbers.begin(), arguments.numbers.end(), arguments.target);
}

void fill(const FillArguments& arguments, const KernelContext& context) {
  visit_word(arguments.element_size, [&](auto zero) {
    using Word = decltype(zero);
    const Word value = *static_cast<const Word*>(arguments.value);
    Word* target = static_cast<Word*>(arguments.target);
    context.parallel.run(arguments.count, kGrain, [&](std::int64_t begin, std::int64_t end, int) {
      std::fill(target + begin, target + end, value);
    });
  });
}

}  // namespace pliant::kernels
