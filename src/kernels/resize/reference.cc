#include "kernels/resize/taps.h"

namespace pliant::kernels::resize {
namespace {

constexpr std::int64_t kMostTaps = 64;

/// Sum over the taps of axis `axis` and all later ones at result coordinates `at`; `offset` is the number
/// of the element of x so far.
double value_at(const ResizeArguments& arguments, const float* x, const std::int64_t* at, int axis,
                std::int64_t offset) {
  if (axis == arguments.rank) {
    return static_cast<double>(x[offset]);
  }
  const ResizeAxis& extents = arguments.axes[axis];
  const std::int64_t begin = offset * extents.input;
  if (!extents.active) {
    return value_at(arguments, x, at, axis + 1, begin + at[axis]);
  }
  std::int64_t indices[kMostTaps];
  double weights[kMostTaps];
  const std::int64_t taps = tap_count(arguments, extents);
  PLIANT_CHECK_LE(taps, kMostTaps);
  fill_taps(arguments, extents, at[axis], 1, indices, weights);
  double sum = 0.0;
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    sum += weights[tap] * value_at(arguments, x, at, axis + 1, begin + indices[tap]);
  }
  return sum;
}

}  // namespace

void resize_reference(const ResizeArguments& arguments, const float* x, double* y) {
  std::int64_t count = 1;
  for (int axis = 0; axis < arguments.rank; ++axis) {
    count *= arguments.axes[axis].output;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t at[kMaxRank] = {};
    std::int64_t rest = i;
    for (int axis = arguments.rank; axis-- > 0;) {
      at[axis] = rest % arguments.axes[axis].output;
      rest /= arguments.axes[axis].output;
    }
    y[i] = value_at(arguments, x, at, 0, 0);
  }
}

}  // namespace pliant::kernels::resize
