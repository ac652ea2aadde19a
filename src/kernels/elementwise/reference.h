#pragma once

#include "kernels/elementwise/elementwise.h"

namespace pliant::kernels {

/// What elementwise() does, one element at a time: converts the elements of `inputs` to the types of
/// `loop`, calls it, converts what it gives to the type of `result`. `loop` comes from
/// reference_elementwise_loop(); strides are those after broadcasting.
void run_reference(const ElementwiseLoop& loop, const TensorView* inputs, const TensorView& result,
                   double alpha, double beta);

}  // namespace pliant::kernels
