#pragma once

#include <cstdint>

#include "kernels/gather/index_tuple.h"
#include "kernels/kernel.h"

namespace pliant::kernels {

/// Picks lines of x by index tuples. Line number l (row-major over `shape`) of the target is
///
///   target[l * length + j] = x[l · x_strides + tuple(l · index_strides) + j * line_stride]
///
/// GATHER, GATHER_ELEMENTS and GATHER_ND differ in the strides alone: axes that come from the
/// indices have stride 0 in x, axes that x keeps have stride 0 in the indices.
struct GatherArguments {
  const void* x = nullptr;
  const void* indices = nullptr;  ///< null: they are in the scratch memory
  void* target = nullptr;         ///< row-major
  Shape shape;                    ///< of the lines; at least one axis
  Strides x_strides;
  Strides index_strides;
  IndexTuple tuple;
  std::int64_t length = 1;
  std::int64_t line_stride = 1;
  std::int64_t element_size = 4;
  std::int64_t index_size = 8;  ///< bytes: 4 (i32) or 8 (i64)

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(indices);
    visit(target);
  }
};

/// Threads: splits the lines. Errors: none, indices have been checked.
void gather(const GatherArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
