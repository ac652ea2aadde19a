#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/convolution/window_axis.h"
#include "kernels/kernel.h"

// Pooling over the spatial axes of [batch, channels, …]: the largest element or the mean of each window.
//
// Numbers: the elements of a window are combined in ascending order of depth, height, width, one chain
// per result, so layout and threads do not change bits. A NaN in a window makes its maximum NaN.

namespace pliant::kernels::pooling {

struct PoolShape {
  std::int64_t batch = 0;
  std::int64_t channels = 0;
  WindowAxis axes[kSpatialAxes];
  std::int64_t x_strides[5] = {};  ///< n, c, depth, height, width; in elements
  std::int64_t y_strides[5] = {};

  /// The most elements of x that one window can see; windows themselves may be of any size.
  [[nodiscard]] std::int64_t most_elements() const {
    std::int64_t count = 1;
    for (const WindowAxis& axis : axes) {
      count *= std::min(axis.window, axis.input);
    }
    return count;
  }
  [[nodiscard]] std::int64_t pixels() const {
    return axes[0].output * axes[1].output * axes[2].output;
  }
};

struct PoolArguments {
  PoolShape shape;
  const void* x = nullptr;
  void* y = nullptr;
  std::int64_t* indices = nullptr;  ///< of maxima, or null
  std::int64_t index_strides[5] = {};
  bool column_major = false;   ///< indices count the last two spatial axes swapped
  bool count_padding = false;  ///< a mean divides by the window's part within x and its padding

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(y);
    visit(indices);
  }
};

/// The part of a window that lies within x: taps [first, last).
struct TapRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
[[nodiscard]] TapRange taps_inside(const WindowAxis& axis, std::int64_t position);

/// How many taps a mean counts along an axis: those within x, or within x and its padding.
[[nodiscard]] std::int64_t counted_taps(const WindowAxis& axis, std::int64_t position,
                                        bool count_padding);

/// Largest elements and, if asked for, where they are: the flat index within x of the first one. A window
/// without elements gives the smallest value of the type and index -1.
/// Types:   every number; f16 and bf16 compare as f32.
/// Threads: splits results over `context.parallel`.
template <class T>
void max_pool(const PoolArguments& arguments, const KernelContext& context);

/// Means; a window that counts nothing gives 0. Sums in f32 (f64 for f64), rounded once.
template <class T>
void average_pool(const PoolArguments& arguments, const KernelContext& context);

/// The fast f32 forms without indices. x and y have the same layout: a stride of 1 along channels or
/// along width in both.
void max_pool_f32(const PoolArguments& arguments, const KernelContext& context);
void average_pool_f32(const PoolArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels::pooling
