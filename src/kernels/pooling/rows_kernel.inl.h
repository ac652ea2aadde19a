// Pooling rows for one CPU level. Included by rows_{portable,avx2,avx512}.cc.

#include "kernels/pooling/rows.h"
#include "kernels/simd/vector.h"

namespace pliant::kernels::pooling::PLIANT_SIMD_LEVEL {
namespace {

using namespace kernels::
    PLIANT_SIMD_LEVEL;  // NOLINT(google-build-using-namespace): the level's vectors

struct Maximum {
  static PLIANT_INLINE Float start() { return broadcast(-__builtin_inff()); }
  static PLIANT_INLINE Float combine(Float value, Float so_far) {
    return nan_maximum(value, so_far);
  }
  static PLIANT_INLINE Float finish(Float value, Float) { return value; }
};

struct Mean {
  static PLIANT_INLINE Float start() { return Float{}; }
  static PLIANT_INLINE Float combine(Float value, Float so_far) { return so_far + value; }
  static PLIANT_INLINE Float finish(Float value, Float divisor) { return value / divisor; }
};

/// Lanes [0, count) from every `step`-th element.
PLIANT_INLINE Float load_stepped(const float* from, std::int64_t step, std::int64_t count) {
  Float value{};
  for (std::int64_t i = 0; i < count; ++i) {
    value[i] = from[i * step];
  }
  return value;
}

template <class Combine>
void row(const RowArguments& arguments) {
  const Float divisor = broadcast(arguments.divisor);
  std::int64_t j = 0;
  for (; j + kWidth <= arguments.count; j += kWidth) {
    Float value = Combine::start();
    if (arguments.step == 1) {
      for (std::int64_t t = 0; t < arguments.tap_count; ++t) {
        value = Combine::combine(load(arguments.taps[t] + j), value);
      }
    } else {
      for (std::int64_t t = 0; t < arguments.tap_count; ++t) {
        value = Combine::combine(
            load_stepped(arguments.taps[t] + j * arguments.step, arguments.step, kWidth), value);
      }
    }
    store(arguments.y + j, Combine::finish(value, divisor));
  }
  const std::int64_t rest = arguments.count - j;
  if (rest > 0) {
    Float value = Combine::start();
    for (std::int64_t t = 0; t < arguments.tap_count; ++t) {
      value = Combine::combine(
          load_stepped(arguments.taps[t] + j * arguments.step, arguments.step, rest), value);
    }
    store_partial(arguments.y + j, Combine::finish(value, divisor), rest);
  }
}

}  // namespace

const RowKernels kRowKernels{row<Maximum>, row<Mean>};

}  // namespace pliant::kernels::pooling::PLIANT_SIMD_LEVEL
