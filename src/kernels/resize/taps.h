#pragma once

#include "kernels/resize/resize.h"

namespace pliant::kernels::resize {

/// How many elements of x along an axis one result is made of; 1 for nearest.
[[nodiscard]] std::int64_t tap_count(const ResizeArguments& arguments, const ResizeAxis& axis);

/// Where result position `position` of an axis lies within x.
[[nodiscard]] double source_coordinate(const ResizeArguments& arguments, const ResizeAxis& axis,
                                       std::int64_t position);

/// True when kTfCropAndResize looks outside x there.
[[nodiscard]] bool is_outside(const ResizeArguments& arguments, const ResizeAxis& axis,
                              std::int64_t position);

/// The element that nearest copies.
[[nodiscard]] std::int64_t nearest_index(const ResizeArguments& arguments, const ResizeAxis& axis,
                                         std::int64_t position);

/// Elements and weights of one result for linear and cubic: tap_count entries, `stride` apart.
void fill_taps(const ResizeArguments& arguments, const ResizeAxis& axis, std::int64_t position,
               std::int64_t stride, std::int64_t* indices, double* weights);

}  // namespace pliant::kernels::resize
