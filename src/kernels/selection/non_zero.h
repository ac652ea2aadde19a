#pragma once

#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/view.h"

namespace pliant::kernels {

/// Coordinates of the elements of x that are not zero (NaN is not, -0 is), in row-major order:
/// target[axis, n] for the n-th of `found`. x has elements.
struct NonZeroArguments {
  TensorView x;
  std::int64_t* target = nullptr;
  std::int64_t found = 0;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x.data);
    visit(target);
  }
};

/// Pieces that x is counted in by different threads; the scratch memory of non_zero() is one i64 each.
inline constexpr std::int64_t kNonZeroPieces = 64;

/// How many elements are not zero.
[[nodiscard]] std::int64_t count_non_zero(const TensorView& x, const ParallelFor& parallel);

/// Threads: counts pieces of x, then writes them. Errors: none.
void non_zero(const NonZeroArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
