#include "kernels/scan/reference.h"

#include "tensor/dtype.h"
#include "tensor/element_values.h"

namespace pliant::kernels {

void cumulative_sum_reference(const TensorView& x, int axis, CumulativeSumArguments::Own own,
                              CumulativeSumArguments::From from, double* y) {
  const Strides strides = contiguous_strides(x.shape);
  const std::int64_t step = strides[static_cast<std::size_t>(axis)];
  const std::int64_t extent = x.shape[static_cast<std::size_t>(axis)];
  const bool rounds_to_f32 = is_float(x.dtype) && x.dtype != DType::kF64;
  const std::int64_t count = x.element_count();
  for_each_real(x, [&, at = y](double value) mutable { *at++ = value; });
  for (std::int64_t start = 0; start < count; ++start) {
    if (start / step % extent != 0) {
      continue;  // in the middle of a line
    }
    double sum = 0;
    for (std::int64_t i = 0; i < extent; ++i) {
      const std::int64_t k = from == CumulativeSumArguments::From::kBegin ? i : extent - 1 - i;
      double& element = y[start + k * step];
      const double before = sum;
      sum += element;
      // Rounding an f64 sum of two f32 numbers gives their f32 sum.
      sum = rounds_to_f32 ? static_cast<double>(static_cast<float>(sum)) : sum;
      element = own == CumulativeSumArguments::Own::kExcluded ? before : sum;
    }
  }
}

}  // namespace pliant::kernels
