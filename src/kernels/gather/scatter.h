#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gather/apply_updates.h"
#include "kernels/gather/index_tuple.h"
#include "kernels/kernel.h"
#include "kernels/movement/copy.h"

namespace pliant::kernels {

/// One axis set of the updates with its strides in the result, the updates and the indices.
struct ScatterAxes {
  Shape shape;
  Strides target;
  Strides updates;
  Strides indices;
};

/// The result is x, then every update meets the element that its index tuple names.
///
/// Independent axes are those along which updates never meet the same element (the axes that are
/// not indexed): they are split over threads. Along the ordered axes the updates are applied one
/// after another in row-major order, so the result does not depend on threads.
///
/// Functions with accumulators need scatter_scratch_bytes() of scratch memory and a result whose
/// memory has no gaps and no negative strides.
struct ScatterArguments {
  CopyArguments copy;  ///< x into the result
  const void* updates = nullptr;
  const void* indices = nullptr;
  ScatterAxes independent;  ///< at least one axis
  ScatterAxes ordered;
  IndexTuple tuple;  ///< strides in the result
  UpdateFunctions functions;
  std::int64_t index_size = 8;  ///< bytes: 4 (i32) or 8 (i64)

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    copy.each_address(visit);
    visit(updates);
    visit(indices);
  }
};

/// One accumulator per element of the result, if there are any.
[[nodiscard]] std::size_t scatter_scratch_bytes(const UpdateFunctions& functions,
                                                std::int64_t elements);

/// Errors: none, indices have been checked.
void scatter(const ScatterArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
