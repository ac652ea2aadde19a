#include "kernels/resize/taps.h"

#include <algorithm>
#include <cmath>

namespace pliant::kernels::resize {
namespace {

/// Half the width of the filter without antialiasing.
double radius(Mode mode) {
  return mode == Mode::kLinear ? 1.0 : 2.0;
}

/// How much an antialiasing filter is widened: only when shrinking.
double filter_scale(const ResizeArguments& arguments, const ResizeAxis& axis) {
  return arguments.antialias ? std::min(axis.scale, 1.0) : 1.0;
}

/// Position of the first tap relative to the element at or before the coordinate.
std::int64_t first_tap(const ResizeArguments& arguments, const ResizeAxis& axis) {
  return static_cast<std::int64_t>(
             std::floor(-radius(arguments.mode) / filter_scale(arguments, axis))) +
         1;
}

double filter(const ResizeArguments& arguments, double distance) {
  const double d = std::fabs(distance);
  if (arguments.mode == Mode::kLinear) {
    return std::max(1.0 - d, 0.0);
  }
  // Keys' cubic convolution, doi:10.1109/TASSP.1981.1163711.
  const double a = arguments.cubic_coefficient;
  if (d <= 1.0) {
    return ((a + 2.0) * d - (a + 3.0)) * d * d + 1.0;
  }
  return d < 2.0 ? ((a * d - 5.0 * a) * d + 8.0 * a) * d - 4.0 * a : 0.0;
}

}  // namespace

std::int64_t tap_count(const ResizeArguments& arguments, const ResizeAxis& axis) {
  return arguments.mode == Mode::kNearest ? 1 : 2 - 2 * first_tap(arguments, axis);
}

double source_coordinate(const ResizeArguments& arguments, const ResizeAxis& axis,
                         std::int64_t position) {
  const double x = static_cast<double>(position);
  const double last = static_cast<double>(axis.input - 1);
  // May be fractional when it comes from a scale.
  const double length = axis.scale * static_cast<double>(axis.input);
  const double half_pixel = (x + 0.5) / axis.scale - 0.5;
  switch (arguments.coordinates) {
    case Coordinates::kHalfPixel:
      return half_pixel;
    case Coordinates::kHalfPixelSymmetric: {
      const double adjustment = static_cast<double>(axis.output) / length;
      return static_cast<double>(axis.input) / 2.0 * (1.0 - adjustment) + half_pixel;
    }
    case Coordinates::kPytorchHalfPixel:
      return length == 1.0 ? -0.5 : half_pixel;
    case Coordinates::kAlignCorners:
      return length == 1.0 ? 0.0 : x * last / (length - 1.0);
    case Coordinates::kAsymmetric:
      return x / axis.scale;
    case Coordinates::kTfHalfPixelForNn:
      return (x + 0.5) / axis.scale;
    case Coordinates::kTfCropAndResize: {
      const double part = axis.roi_end - axis.roi_begin;
      const double within = length == 1.0 ? part * last / 2.0 : x * part * last / (length - 1.0);
      return within + axis.roi_begin * last;
    }
  }
  return half_pixel;
}

bool is_outside(const ResizeArguments& arguments, const ResizeAxis& axis, std::int64_t position) {
  if (arguments.coordinates != Coordinates::kTfCropAndResize) {
    return false;
  }
  const double x = source_coordinate(arguments, axis, position);
  return !(x >= 0.0 && x <= static_cast<double>(axis.input - 1));
}

std::int64_t nearest_index(const ResizeArguments& arguments, const ResizeAxis& axis,
                           std::int64_t position) {
  const double x = source_coordinate(arguments, axis, position);
  double rounded = x;
  switch (arguments.rounding) {
    case Rounding::kPreferFloor:
      rounded = std::ceil(x - 0.5);
      break;
    case Rounding::kPreferCeil:
      rounded = std::floor(x + 0.5);
      break;
    case Rounding::kFloor:
      rounded = std::floor(x);
      break;
    case Rounding::kCeil:
      rounded = std::ceil(x);
      break;
  }
  // Clamped as a number: a NaN or a huge coordinate must not be converted.
  const double last = static_cast<double>(axis.input - 1);
  return static_cast<std::int64_t>(rounded > 0.0 ? std::min(rounded, last) : 0.0);
}

void fill_taps(const ResizeArguments& arguments, const ResizeAxis& axis, std::int64_t position,
               std::int64_t stride, std::int64_t* indices, double* weights) {
  const double last = static_cast<double>(axis.input - 1);
  double x = source_coordinate(arguments, axis, position);
  const bool keeps_to_edge =
      arguments.mode == Mode::kLinear && !arguments.antialias && !arguments.exclude_outside;
  // Beyond the edge all taps are the same element. Far outside (or not a number) any place will do.
  const double margin = keeps_to_edge ? 0.0 : static_cast<double>(tap_count(arguments, axis));
  x = x > -margin ? std::min(x, last + margin) : -margin;
  // A coordinate on an element counts as the right end of the step before it.
  const double left = std::ceil(x) - 1.0;
  const double ratio = x - left;
  const double scale = filter_scale(arguments, axis);
  const std::int64_t first = first_tap(arguments, axis);
  const std::int64_t count = tap_count(arguments, axis);
  double sum = 0.0;
  for (std::int64_t tap = 0; tap < count; ++tap) {
    const double offset = static_cast<double>(first + tap);
    const std::int64_t index = static_cast<std::int64_t>(left) + first + tap;
    const bool outside = index < 0 || index >= axis.input;
    const double weight =
        arguments.exclude_outside && outside ? 0.0 : filter(arguments, (offset - ratio) * scale);
    indices[tap * stride] = std::clamp<std::int64_t>(index, 0, axis.input - 1);
    weights[tap * stride] = weight;
    sum += weight;
  }
  if ((arguments.antialias || arguments.exclude_outside) && sum != 0.0) {
    for (std::int64_t tap = 0; tap < count; ++tap) {
      weights[tap * stride] /= sum;
    }
  }
}

}  // namespace pliant::kernels::resize
