#include "kernels/convolution/channels_last.h"

#include "kernels/movement/copy.h"

namespace pliant::kernels::convolution {

void set_channels_last(std::int64_t channels, const std::int64_t (&extents)[kSpatialAxes],
                       std::int64_t (&strides)[5]) {
  strides[1] = 1;
  strides[4] = channels;
  strides[3] = strides[4] * extents[2];
  strides[2] = strides[3] * extents[1];
  strides[0] = strides[2] * extents[0];
}

std::int64_t input_elements(const ConvolutionShape& shape) {
  return shape.batch * shape.total_channels() * shape.axes[0].input * shape.axes[1].input *
         shape.axes[2].input;
}

ConvolutionShape with_channels_last_input(const ConvolutionShape& shape) {
  ConvolutionShape result = shape;
  if (is_channels_last(shape)) {
    result.x_strides[1] = 1;
  } else {
    set_channels_last(shape.total_channels(),
                      {shape.axes[0].input, shape.axes[1].input, shape.axes[2].input},
                      result.x_strides);
  }
  return result;
}

void copy_to_channels_last(const ConvolutionShape& shape, const float* x, float* target,
                           const KernelContext& context) {
  CopyArguments copy;
  copy.source = x;
  copy.target = target;
  copy.shape = Shape{shape.batch, shape.total_channels(), shape.axes[0].input, shape.axes[1].input,
                     shape.axes[2].input};
  std::int64_t dense[5];
  set_channels_last(shape.total_channels(),
                    {shape.axes[0].input, shape.axes[1].input, shape.axes[2].input}, dense);
  copy.source_strides = Strides(std::span<const std::int64_t>(shape.x_strides));
  copy.target_strides = Strides(std::span<const std::int64_t>(dense));
  copy.element_size = sizeof(float);
  copy_strided(copy, context);
}

}  // namespace pliant::kernels::convolution
