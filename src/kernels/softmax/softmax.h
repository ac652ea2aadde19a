#pragma once

#include "kernels/elementwise/elementwise.h"
#include "kernels/reduce/reduced_axes.h"
#include "kernels/softmax/softmax_row.h"

namespace pliant::kernels {

struct SoftmaxArguments {
  RowFunction function = RowFunction::kSoftmax;
  /// Rows of x are the "results" and the elements along the axis are the "reduced" ones; result
  /// strides are those of y.
  ReducedAxes axes;
  std::int64_t y_stride = 1;  ///< of y along the axis
  std::byte* x = nullptr;
  std::byte* y = nullptr;
  int element_bytes = 4;
  DType computing = DType::kF32;     ///< f32 or f64
  DenseLoop to_computing = nullptr;  ///< for 16-bit floats
  DenseLoop from_computing = nullptr;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(y);
  }
};

/// y = function(x) along one axis, for any strides; y has the shape of x.
///
/// Numbers: a row's bits depend on the row alone.
/// Threads: splits the rows over context.parallel. Scratch: softmax_scratch_bytes().
void softmax(const SoftmaxArguments& arguments, const KernelContext& context);

/// Rows that are not neighbours in memory are copied in groups of this many.
inline constexpr std::int64_t kSoftmaxGroup = 16;

/// 0 if every row can be worked on where it is.
[[nodiscard]] std::size_t softmax_scratch_bytes(const SoftmaxArguments& arguments,
                                                int worker_count);

}  // namespace pliant::kernels
