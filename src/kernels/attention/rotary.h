#pragma once

#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/dtype.h"

// ROTARY: turns pairs of elements of each token by an angle that depends on its position.
//
//   y[first]  = cos * x[first] - sin * x[second]
//   y[second] = sin * x[first] + cos * x[second]
//
// The pairs are (i, i + rotated / 2) or, interleaved, (2 i, 2 i + 1); elements past `rotated` are copied.

namespace pliant::kernels::attention {

/// Strides in elements, of [batch, head, token, element].
struct RotaryArguments {
  std::int64_t batch = 0;
  std::int64_t heads = 0;
  std::int64_t tokens = 0;
  std::int64_t width = 0;
  std::int64_t rotated = 0;  ///< even, at most width
  const void* x = nullptr;
  std::int64_t x_strides[4] = {};
  void* dst = nullptr;
  std::int64_t dst_strides[4] = {};
  const void* cosine = nullptr;
  std::int64_t cosine_strides[3] =
      {};  ///< of [batch, token, element], or [unused, position, element]
  const void* sine = nullptr;
  std::int64_t sine_strides[3] = {};
  const std::int64_t* positions =
      nullptr;  ///< row of cosine and sine for each [batch, token], or null
  std::int64_t position_strides[2] = {};
  bool interleaved = false;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(dst);
    visit(cosine);
    visit(sine);
    visit(positions);
  }
};

/// Types:   float types; f16 and bf16 are computed in f32 and rounded once.
/// Threads: splits rows over the context's loop.
using RotaryKernel = void (*)(const RotaryArguments&, const KernelContext&);
[[nodiscard]] RotaryKernel rotary_kernel(DType dtype);

}  // namespace pliant::kernels::attention
