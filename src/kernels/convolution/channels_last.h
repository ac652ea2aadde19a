#pragma once

#include "kernels/convolution/convolution.h"
#include "kernels/scratch_plan.h"

namespace pliant::kernels::convolution {

/// True when the channels of a pixel are neighbours, so that x is read where it lies.
[[nodiscard]] inline bool is_channels_last(const ConvolutionShape& shape) {
  return shape.x_strides[1] == 1 || shape.total_channels() <= 1;
}

/// The shape with x's strides as the fast kernels read it: unchanged, or dense channels-last.
[[nodiscard]] ConvolutionShape with_channels_last_input(const ConvolutionShape& shape);

/// Elements of x.
[[nodiscard]] std::int64_t input_elements(const ConvolutionShape& shape);

/// Copies x into dense channels-last memory.
void copy_to_channels_last(const ConvolutionShape& shape, const float* x, float* target,
                           const KernelContext& context);

}  // namespace pliant::kernels::convolution
