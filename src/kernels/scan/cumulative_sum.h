#pragma once

#include "kernels/kernel.h"
#include "kernels/reduce/reduced_axes.h"

namespace pliant::kernels {

struct CumulativeSumArguments {
  /// Lines of x along the axis are the "results", their elements the "reduced" ones; result strides
  /// are those of y.
  ReducedAxes axes;
  std::int64_t x_stride = 0;  ///< along the axis
  std::int64_t y_stride = 0;
  const void* x = nullptr;
  void* y = nullptr;
  DType dtype = DType::kF32;
  enum class Own : std::uint8_t { kIncluded, kExcluded };
  enum class From : std::uint8_t { kBegin, kEnd };
  Own own = Own::kIncluded;
  From from = From::kBegin;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(y);
  }
};

/// Running sums along one axis, for any strides; y has the shape of x. Element k of a line is the sum
/// of the elements before it in running direction, with or without its own.
///
/// Numbers: one chain of additions per line, in order; 16-bit floats add in f32 and each result is
///          rounded once; integers wrap.
/// Threads: splits the lines over context.parallel.
void cumulative_sum(const CumulativeSumArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
