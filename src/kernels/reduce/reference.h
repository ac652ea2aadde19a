#pragma once

#include "base/function_ref.h"
#include "kernels/reduce/reduce.h"

// Reductions straight from their formulas, for any type and strides: what the fast kernels are checked
// against. Elements are read as f64, so integers are exact up to 2^53.

namespace pliant::kernels {

/// Calls visit(elements) for each position of the axes that are not reduced, in row-major order. The
/// view has x's elements along the reduced axes, and extent 1 along the others.
void for_each_result(const TensorView& x, const bool (&reduced)[kMaxRank],
                     FunctionRef<void(const TensorView&)> visit);

/// One number per result, before it is rounded to x's type. No elements are allowed.
void reduce_reference(ReduceFunction function, const TensorView& x, const bool (&reduced)[kMaxRank],
                      double* results);

/// One index per result, counted in row-major order over the reduced axes; at least one element each.
void arg_reduce_reference(ArgReduction reduction, const TensorView& x,
                          const bool (&reduced)[kMaxRank], std::int64_t* results);

}  // namespace pliant::kernels
