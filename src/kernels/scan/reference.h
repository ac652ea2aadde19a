#pragma once

#include "kernels/scan/cumulative_sum.h"
#include "tensor/view.h"

namespace pliant::kernels {

/// Running sums straight from the formula, for x of any number type and strides: what the fast kernels
/// are checked against. Fills y in row-major order with sums that are not yet rounded to x's type, but
/// kept in the type that the kernel keeps them in: f64 for f64, f32 for other floats. Integers are exact
/// up to 2^53 and do not wrap.
void cumulative_sum_reference(const TensorView& x, int axis, CumulativeSumArguments::Own own,
                              CumulativeSumArguments::From from, double* y);

}  // namespace pliant::kernels
