#include "kernels/softmax/reference.h"

#include <cmath>
#include <limits>

#include "kernels/reduce/reference.h"
#include "tensor/element_values.h"

namespace pliant::kernels {
namespace {

/// `row` is one row of x; its results go to y[0], y[step], …
void apply_to_row(RowFunction function, const TensorView& row, double* y, std::int64_t step) {
  double maximum = -std::numeric_limits<double>::infinity();
  std::int64_t place_of_maximum = 0;  // NaN counts as the largest
  std::int64_t k = 0;
  for_each_real(row, [&](double x) {
    if (x > maximum || (x != x && maximum == maximum)) {
      maximum = x;
      place_of_maximum = k;
    }
    ++k;
  });
  double total = 0;
  for_each_real(row, [&](double x) { total += std::exp(x - maximum); });
  k = 0;
  for_each_real(row, [&](double x) {
    switch (function) {
      case RowFunction::kSoftmax:
        y[k * step] = std::exp(x - maximum) / total;
        break;
      case RowFunction::kLogSoftmax:
        y[k * step] = x - maximum - std::log(total);
        break;
      case RowFunction::kHardmax:
        y[k * step] = k == place_of_maximum ? 1 : 0;
        break;
    }
    ++k;
  });
}

}  // namespace

void softmax_reference(RowFunction function, const TensorView& x, int axis, double* y) {
  bool along[kMaxRank] = {};
  along[axis] = true;
  const std::int64_t extent = x.shape[static_cast<std::size_t>(axis)];
  const std::int64_t step = contiguous_strides(x.shape)[static_cast<std::size_t>(axis)];
  std::int64_t row_number = 0;
  for_each_result(x, along, [&](const TensorView& row) {
    const std::int64_t start = row_number / step * step * extent + row_number % step;
    apply_to_row(function, row, y + start, step);
    ++row_number;
  });
}

}  // namespace pliant::kernels
