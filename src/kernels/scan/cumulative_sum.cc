#include "kernels/scan/cumulative_sum.h"

#include <algorithm>
#include <type_traits>

#include "base/half.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

constexpr std::int64_t kGrain = 16384;
/// Lines that run side by side: neighbours in memory are often neighbours across the axis.
constexpr std::int64_t kLines = 64;

/// The type that sums are kept in, and how elements get there and back.
template <class T>
struct Chain {
  using Sum = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                          std::type_identity<T>>::type;
  static Sum value(T x) { return static_cast<Sum>(x); }
  static T result(Sum sum) { return static_cast<T>(sum); }
};
template <>
struct Chain<Half> {
  using Sum = float;
  static Sum value(Half x) { return to_float(x); }
  static Half result(Sum sum) { return to_half(sum); }
};
template <>
struct Chain<BFloat16> {
  using Sum = float;
  static Sum value(BFloat16 x) { return to_float(x); }
  static BFloat16 result(Sum sum) { return to_bfloat16(sum); }
};

/// Steps along the axis after which the lines ask whether to go on.
constexpr std::int64_t kStepsPerQuestion = 1 << 14;

template <class T>
void run_lines(const CumulativeSumArguments& arguments, std::int64_t begin, std::int64_t end,
               const ParallelFor& parallel) {
  using Sum = typename Chain<T>::Sum;
  const std::int64_t count = arguments.axes.reduced_count;
  const bool excluded = arguments.own == CumulativeSumArguments::Own::kExcluded;
  const bool backwards = arguments.from == CumulativeSumArguments::From::kEnd;
  const T* const x = static_cast<const T*>(arguments.x);
  T* const y = static_cast<T*>(arguments.y);
  ResultPosition lines[kLines];
  Sum sums[kLines];
  for (std::int64_t first = begin; first < end; first += kLines) {
    const std::int64_t line_count = std::min(end - first, kLines);
    for (std::int64_t line = 0; line < line_count; ++line) {
      lines[line] = position_of_result(arguments.axes, first + line);
      sums[line] = Sum{0};
    }
    for (std::int64_t step = 0; step < count; ++step) {
      if (step % kStepsPerQuestion == 0 && parallel.is_stopped()) {
        return;
      }
      const std::int64_t k = backwards ? count - 1 - step : step;
      for (std::int64_t line = 0; line < line_count; ++line) {
        const Sum value = Chain<T>::value(x[lines[line].input + k * arguments.x_stride]);
        const Sum next = static_cast<Sum>(sums[line] + value);
        y[lines[line].result + k * arguments.y_stride] =
            Chain<T>::result(excluded ? sums[line] : next);
        sums[line] = next;
      }
    }
  }
}

}  // namespace

void cumulative_sum(const CumulativeSumArguments& arguments, const KernelContext& context) {
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / arguments.axes.reduced_count);
  visit_dtype(arguments.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_same_v<T, bool>) {
      context.parallel.run(arguments.axes.result_count, grain,
                           [&](std::int64_t begin, std::int64_t end, int) {
                             run_lines<T>(arguments, begin, end, context.parallel);
                           });
    }
  });
}

}  // namespace pliant::kernels
