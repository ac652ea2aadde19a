#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/shape.h"

// Resizing: every result position is mapped to a place between elements of x, axis by axis, and its value
// found from the elements around it. Nearest copies one element. Linear and cubic are weighted sums that
// separate by axis, so axes are resized one after the other, those that shrink most first.
//
// Numbers: a pass over an axis sums its taps in ascending order; the order of the axes depends on their
// extents alone. Sums in f32 (f64 for f64 and integers); integers are cut off towards zero and saturate.

namespace pliant::kernels::resize {

enum class Mode : std::uint8_t { kNearest, kLinear, kCubic };
enum class Coordinates : std::uint8_t {
  kHalfPixel,
  kHalfPixelSymmetric,
  kPytorchHalfPixel,
  kAlignCorners,
  kAsymmetric,
  kTfHalfPixelForNn,
  kTfCropAndResize,
};
enum class Rounding : std::uint8_t { kPreferFloor, kPreferCeil, kFloor, kCeil };

struct ResizeAxis {
  std::int64_t input = 1;
  std::int64_t output = 1;
  double scale = 1.0;      ///< output / input, maybe not exactly
  double roi_begin = 0.0;  ///< part of x that kTfCropAndResize looks at
  double roi_end = 1.0;
  int position = 0;  ///< among the axes of the shape: the order of passes must not depend on layout
  bool active = false;  ///< false: the axis stays as it is
};

struct ResizeArguments {
  int rank = 0;
  ResizeAxis axes[kMaxRank];  ///< in memory order, outermost first; x and y are dense in it
  Mode mode = Mode::kNearest;
  Coordinates coordinates = Coordinates::kHalfPixel;
  Rounding rounding = Rounding::kPreferFloor;
  bool antialias = false;
  bool exclude_outside = false;
  double cubic_coefficient = -0.75;
  std::uint64_t extrapolation = 0;  ///< bytes of the element outside, for kTfCropAndResize
  const void* x = nullptr;
  void* y = nullptr;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(y);
  }
};

/// Resizes elements of type T.
/// Shapes:  any rank; y has elements, hence x too.
/// Threads: splits rows of the result over `context.parallel`.
template <class T>
void resize(const ResizeArguments& arguments, const KernelContext& context);
template <class T>
[[nodiscard]] std::size_t scratch_bytes(const ResizeArguments& arguments);

/// The value of each result straight from its definition, in f64; for linear and cubic.
void resize_reference(const ResizeArguments& arguments, const float* x, double* y);

}  // namespace pliant::kernels::resize
