#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/view.h"

namespace pliant::kernels {

enum class TopKOrder : std::uint8_t { kLargest, kSmallest };

/// The k first elements of every row along an axis, in order. Among equal elements the lower index
/// comes first; -0 equals 0; NaN counts as larger than every number.
struct TopKArguments {
  const void* x = nullptr;
  void* values = nullptr;           ///< null when not wanted
  std::int64_t* indices = nullptr;  ///< null when not wanted
  Shape rows;                       ///< extents of the other axes
  Strides x_strides;
  Strides target_strides;  ///< of both results
  std::int64_t extent = 0;
  std::int64_t x_stride = 1;       ///< along the axis
  std::int64_t target_stride = 1;  ///< along the axis
  std::int64_t k = 0;
  TopKOrder order = TopKOrder::kLargest;
  DType dtype = DType::kF32;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(values);
    visit(indices);
  }
};

/// Bytes of scratch memory per worker.
[[nodiscard]] std::size_t top_k_scratch_bytes(std::int64_t extent, std::int64_t k);

/// Threads: splits the rows; scratch holds top_k_scratch_bytes() per worker. Errors: none.
void top_k(const TopKArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
