#pragma once

#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/shape.h"
#include "tensor/view.h"

namespace pliant::kernels {

/// target[i…] = source[i…] for every index of `shape`. Elements are moved as bytes, so one kernel
/// serves every element type of a size.
struct CopyArguments {
  const void* source = nullptr;  ///< element [0, 0, …]; may be null when `shape` is empty
  void* target = nullptr;        ///< element [0, 0, …]; may not overlap the source
  Shape shape;
  Strides source_strides;         ///< in elements; 0 repeats, negative runs backwards
  Strides target_strides;         ///< in elements; no element may be reached twice
  std::int64_t element_size = 4;  ///< bytes: 1, 2, 4 or 8

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(source);
    visit(target);
  }
};

/// The copy of one view to another of the same shape and type.
[[nodiscard]] inline CopyArguments copy_arguments(const TensorView& source,
                                                  const TensorView& target) {
  return CopyArguments{source.data,    target.data,
                       source.shape,   source.strides,
                       target.strides, static_cast<std::int64_t>(byte_size(target.dtype))};
}

/// Copies. Axes are reordered and merged first, so that runs are as long as the layouts allow:
/// common runs go through memcpy, exchanged axes through blocks, anything else element by element.
/// Threads: splits the target over `context.parallel`. Errors: none.
void copy_strided(const CopyArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
