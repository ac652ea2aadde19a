#include "kernels/softmax/softmax_row.h"

#include <cmath>
#include <limits>

namespace pliant::kernels {
namespace {

template <class T>
T row_maximum(const T* x, std::int64_t count) {
  T maximum = -std::numeric_limits<T>::infinity();
  for (std::int64_t i = 0; i < count; ++i) {
    maximum = maximum > x[i] || maximum != maximum ? maximum : x[i];
  }
  return maximum;
}

template <class T>
void softmax(const T* x, T* y, std::int64_t count) {
  const T maximum = row_maximum(x, count);
  double total = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    y[i] = std::exp(x[i] - maximum);
    total += static_cast<double>(y[i]);
  }
  for (std::int64_t i = 0; i < count; ++i) {
    y[i] = static_cast<T>(static_cast<double>(y[i]) / total);
  }
}

template <class T>
void log_softmax(const T* x, T* y, std::int64_t count) {
  const T maximum = row_maximum(x, count);
  double total = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    total += static_cast<double>(std::exp(x[i] - maximum));
  }
  const T logarithm = static_cast<T>(std::log(total));
  for (std::int64_t i = 0; i < count; ++i) {
    y[i] = x[i] - maximum - logarithm;
  }
}

/// NaN counts as the largest, as in ARG_MAX.
template <class T>
void hardmax(const T* x, T* y, std::int64_t count) {
  std::int64_t index = 0;
  for (std::int64_t i = 1; i < count; ++i) {
    const bool wins = x[i] > x[index] || (x[i] != x[i] && x[index] == x[index]);
    index = wins ? i : index;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    y[i] = i == index ? T{1} : T{0};
  }
}

}  // namespace

template <class T>
ApplyToRow<T> scalar_row_function(RowFunction function) {
  static constexpr ApplyToRow<T> kRows[] = {&softmax<T>, &log_softmax<T>, &hardmax<T>};
  return kRows[static_cast<int>(function)];
}
template ApplyToRow<float> scalar_row_function(RowFunction);
template ApplyToRow<double> scalar_row_function(RowFunction);

ApplyToRow<float> find_row_function(RowFunction function, CpuLevel level) {
  if (function == RowFunction::kHardmax) {
    return scalar_row_function<float>(function);
  }
  const bool is_softmax = function == RowFunction::kSoftmax;
#define SOFTMAX_KERNELS(Level, space)                                  \
  if (level == CpuLevel::Level) {                                      \
    return is_softmax ? &space::softmax_row : &space::log_softmax_row; \
  }
#include "kernels/softmax/kernels.inc"
  return is_softmax ? &portable::softmax_row : &portable::log_softmax_row;
}

}  // namespace pliant::kernels
