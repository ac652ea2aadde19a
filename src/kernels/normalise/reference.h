#pragma once

#include "kernels/normalise/normalise.h"

// Normalisation straight from its formulas in f64, for all float types: what the fast kernels are checked
// against. Parameters are read where `data` is, as elements of x's type; `prepared` ones are not known here.

namespace pliant::kernels {

/// What a row is normalised by; RMS_NORM has no mean.
struct RowStatistics {
  double mean = 0;
  double inverse_deviation = 0;
};

/// Elements of y in order, and statistics per row.
void layer_norm_reference(const LayerNormArguments& arguments, double* y,
                          RowStatistics* statistics);

void group_norm_reference(const GroupNormArguments& arguments, double* y);

/// x: [batch, channels, …] with any strides; y in row-major order. The arguments' loop is not read.
void batch_norm_reference(const BatchNormArguments& arguments, const TensorView& x, double* y);

}  // namespace pliant::kernels
