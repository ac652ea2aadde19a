#pragma once

#include "kernels/quantise/quantise.h"

// Quantisation straight from its formulas, for all types: what the fast kernels are checked against.
// Results come as f64, one per element, and hold exactly what the kernels store or round once.

namespace pliant::kernels::quantise {

/// Whole numbers of dst's type.
void quantise_reference(const QuantiseArguments& arguments, double* results);

/// Numbers in f32, before they are rounded to dst's type.
void dequantise_reference(const QuantiseArguments& arguments, double* results);

/// Scale and zero point for x; `results` are the elements of dst.
struct DynamicScale {
  float scale = 1.0f;
  double zero_point = 0;
};
[[nodiscard]] DynamicScale dynamic_quantise_reference(const DynamicQuantiseArguments& arguments,
                                                      double* results);

}  // namespace pliant::kernels::quantise
