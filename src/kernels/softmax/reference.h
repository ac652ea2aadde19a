#pragma once

#include "kernels/softmax/softmax_row.h"
#include "tensor/view.h"

namespace pliant::kernels {

/// function(x) along one axis, straight from its formula in f64, for any float type and strides: what
/// the fast kernels are checked against. Fills y in row-major order.
void softmax_reference(RowFunction function, const TensorView& x, int axis, double* y);

}  // namespace pliant::kernels
