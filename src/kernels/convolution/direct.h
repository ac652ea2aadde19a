#pragma once

#include "base/half.h"
#include "kernels/convolution/convolution.h"

// The reference of this family: convolutions straight from the formula, for any strides and element
// types. It is what the fast kernels are checked against, and the path of types other than f32.

namespace pliant::kernels::convolution {

/// Zero points are used with 8-bit types alone.
template <class X, class W, class Y>
struct DirectArguments {
  ConvolutionShape shape;
  const X* x = nullptr;
  const W* weights = nullptr;
  const Y* bias = nullptr;
  Y* y = nullptr;
  const X* x_zero = nullptr;        ///< one element, or null
  const W* weights_zero = nullptr;  ///< per output, weights_zero_stride apart; or null
  std::int64_t weights_zero_stride = 0;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(weights);
    visit(bias);
    visit(y);
    visit(x_zero);
    visit(weights_zero);
  }
};

/// Sums in f32 (f64 for f64, i32 for 8-bit types), rounded once at the end. Defined for X = W = Y
/// one of f32, f64, f16, bf16, and for 8-bit X and W with Y = i32 (padding counts as the zero
/// point). Threads: splits results over `context.parallel`.
template <class X, class W, class Y>
void convolve_direct(const DirectArguments<X, W, Y>& arguments, const KernelContext& context);

/// The transposed convolution of one float type.
template <class T>
void convolve_transposed_direct(const DirectArguments<T, T, T>& arguments,
                                const KernelContext& context);

}  // namespace pliant::kernels::convolution
