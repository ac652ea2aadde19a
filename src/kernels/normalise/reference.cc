#include "kernels/normalise/reference.h"

#include <cmath>

#include "tensor/dtype.h"
#include "tensor/element_values.h"

namespace pliant::kernels {
namespace {

/// `count` neighbours of x from element `first` on.
TensorView part_of(const std::byte* x, DType dtype, std::int64_t first, std::int64_t count) {
  const auto bytes = static_cast<std::int64_t>(byte_size(dtype));
  return contiguous_view(const_cast<std::byte*>(x) + first * bytes, dtype, {count});
}

double element_of(const std::byte* x, DType dtype, std::int64_t index) {
  double element = 0;
  for_each_real(part_of(x, dtype, index, 1), [&](double value) { element = value; });
  return element;
}

double element_or(const NormaliseParameter& parameter, DType dtype, std::int64_t index,
                  double otherwise) {
  return parameter.data == nullptr ? otherwise : element_of(parameter.data, dtype, index);
}

double mean_of_squared_deviations(const TensorView& row, double mean) {
  double sum = 0;
  for_each_real(row, [&](double x) { sum += (x - mean) * (x - mean); });
  return sum / static_cast<double>(row.element_count());
}

double mean_of(const TensorView& row) {
  double sum = 0;
  for_each_real(row, [&](double x) { sum += x; });
  return sum / static_cast<double>(row.element_count());
}

}  // namespace

void layer_norm_reference(const LayerNormArguments& arguments, double* y,
                          RowStatistics* statistics) {
  for (std::int64_t i = 0; i < arguments.row_count; ++i) {
    const TensorView row =
        part_of(arguments.x, arguments.dtype, i * arguments.row_length, arguments.row_length);
    const bool has_mean = arguments.kind == LayerNormArguments::Kind::kLayerNorm;
    const double mean = has_mean ? mean_of(row) : 0;
    const double inverse = 1 / std::sqrt(mean_of_squared_deviations(row, mean) + arguments.epsilon);
    statistics[i] = {mean, inverse};
    std::int64_t k = 0;
    for_each_real(row, [&](double x) {
      *y++ = (x - mean) * inverse * element_or(arguments.scale, arguments.dtype, k, 1) +
             element_or(arguments.bias, arguments.dtype, k, 0);
      ++k;
    });
  }
}

void group_norm_reference(const GroupNormArguments& arguments, double* y) {
  const std::int64_t count = arguments.channels / arguments.groups * arguments.positions;
  for (std::int64_t i = 0; i < arguments.batch * arguments.groups; ++i) {
    const TensorView row = part_of(arguments.x, arguments.dtype, i * count, count);
    const double mean = mean_of(row);
    const double inverse = 1 / std::sqrt(mean_of_squared_deviations(row, mean) + arguments.epsilon);
    std::int64_t at = i * count;
    for_each_real(row, [&](double x) {
      const std::int64_t channel = at++ / arguments.positions % arguments.channels;
      *y++ = (x - mean) * inverse * element_or(arguments.scale, arguments.dtype, channel, 1) +
             element_or(arguments.bias, arguments.dtype, channel, 0);
    });
  }
}

void batch_norm_reference(const BatchNormArguments& arguments, const TensorView& x, double* y) {
  const std::int64_t positions = contiguous_strides(x.shape)[1];
  std::int64_t at = 0;
  for_each_real(x, [&](double value) {
    const std::int64_t channel = at++ / positions % arguments.channels;
    const auto parameter = [&](const BatchNormArguments::Vector& vector) {
      return element_of(vector.data, arguments.dtype, channel * vector.stride);
    };
    *y++ = (value - parameter(arguments.mean)) /
               std::sqrt(parameter(arguments.variance) + arguments.epsilon) *
               parameter(arguments.scale) +
           parameter(arguments.bias);
  });
}

}  // namespace pliant::kernels
