#pragma once

#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/shape.h"

namespace pliant::kernels {

/// target[i, …] = x[i mod extent, …]: x repeated along every axis.
struct TileArguments {
  const void* x = nullptr;
  void* target = nullptr;  ///< row-major
  Shape shape;             ///< of x; at least one axis, no extent is 0
  Strides x_strides;
  Shape repeats;  ///< as many as axes, each >= 1
  std::int64_t element_size = 4;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(target);
  }
};

/// Threads: splits the target by lines. Errors: none.
void tile(const TileArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
