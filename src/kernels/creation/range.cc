#include <type_traits>

#include "base/half.h"
#include "kernels/creation/creation.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

constexpr std::int64_t kGrain = 8 << 10;

template <class T>
T element(T start, T step, std::int64_t i) {
  if constexpr (std::is_same_v<T, Half>) {
    return to_half(to_float(start) + static_cast<float>(i) * to_float(step));
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return to_bfloat16(to_float(start) + static_cast<float>(i) * to_float(step));
  } else if constexpr (std::is_floating_point_v<T>) {
    return start + static_cast<T>(i) * step;
  } else if constexpr (std::is_same_v<T, bool>) {
    return start;  // the instruction table allows numbers only
  } else {
    return static_cast<T>(static_cast<std::uint64_t>(start) +
                          static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(step));
  }
}

}  // namespace

void range(const RangeArguments& arguments, const KernelContext& context) {
  visit_dtype(arguments.dtype, [&](auto zero) {
    using T = decltype(zero);
    const T start = *static_cast<const T*>(arguments.start);
    const T step = *static_cast<const T*>(arguments.step);
    T* target = static_cast<T*>(arguments.target);
    context.parallel.run(arguments.count, kGrain, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t i = begin; i < end; ++i) {
        target[i] = element(start, step, i);
      }
    });
  });
}

}  // namespace pliant::kernels
