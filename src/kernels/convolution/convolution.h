#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/convolution/window_axis.h"
#include "kernels/kernel.h"

// Convolution: y[n, o, p] = bias[o] + sum over taps k and channels c of the group of o of
// x[n, c, p * stride - pad + k * dilation] * w[o, c, k]; outside x is 0.
//
// f32 is done as a matrix product without building its left matrix. Images lie channels-last: the
// elements of one pixel are neighbours. A tile is six result pixels times one panel of outputs; for
// each filter tap, six pointers lead to the pixels under it (or to a row of zeros):
//
//            one tap's channels, all taps         panel of w
//   pixel 0  ───────  ───────  ───────  …        ┌─────────┐
//   pixel 1  ───────  ───────  ───────  …    x   │ tap, c  │  = six pixels of the result
//     …                                          └─────────┘
//
// With few channels, the taps of one filter row are taken as one piece, since they are neighbours
// in memory too; pieces that stick out into the padding are copied to where zeros can stand around
// them.
//
// Numbers: an element is one chain that starts from its bias and runs over depth, height, width of
// the filter, then channels, in ascending order, padding included. Batch, threads, place in the
// image and layout do not change its bits.

namespace pliant::kernels::convolution {

/// Sizes and strides of a (transposed) convolution; strides in elements, axes n, c, depth, height,
/// width.
struct ConvolutionShape {
  std::int64_t batch = 0;
  std::int64_t group = 1;
  std::int64_t channels = 0;  ///< of x, per group
  std::int64_t outputs = 0;   ///< of y, per group
  WindowAxis axes[kSpatialAxes];
  std::int64_t x_strides[5] = {};
  std::int64_t y_strides[5] = {};
  std::int64_t output_stride = 0;   ///< of the weights: to the next output within the group
  std::int64_t channel_stride = 0;  ///< of the weights: to the next channel within the group
  std::int64_t group_stride = 0;    ///< of the weights: to the next group
  std::int64_t tap_strides[kSpatialAxes] = {};
  std::int64_t bias_stride = 0;

  [[nodiscard]] std::int64_t taps() const {
    return axes[0].window * axes[1].window * axes[2].window;
  }
  /// Pixels of the result, all images together.
  [[nodiscard]] std::int64_t pixels() const {
    return batch * axes[0].output * axes[1].output * axes[2].output;
  }
  [[nodiscard]] std::int64_t total_channels() const { return group * channels; }
  [[nodiscard]] std::int64_t total_outputs() const { return group * outputs; }
  /// True when each output channel looks at the one input channel of its own.
  [[nodiscard]] bool is_depthwise() const { return group > 1 && channels == 1 && outputs == 1; }
};

/// Strides [n, c, d, h, w] of a dense channels-last image.
void set_channels_last(std::int64_t channels, const std::int64_t (&extents)[kSpatialAxes],
                       std::int64_t (&strides)[5]);

struct ConvolutionArguments {
  ConvolutionShape shape;    ///< y_strides: dense channels-last
  const float* x = nullptr;  ///< any strides; channels-last (channel stride 1) is read in place
  const float* weights = nullptr;  ///< any strides; not read when packed is given
  const float* packed = nullptr;   ///< the weights packed before, or null: packs into scratch
  const float* bias = nullptr;     ///< [total_outputs], stride 1; or null
  float* y = nullptr;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(weights);
    visit(packed);
    visit(bias);
    visit(y);
  }
};

/// Floats of the packed weights of convolve / transposed convolve.
[[nodiscard]] std::int64_t packed_elements(const ConvolutionShape& shape, CpuLevel level);
/// Packs weights for convolve() at this level.
void pack_weights(const ConvolutionShape& shape, const float* weights, CpuLevel level,
                  float* packed, ParallelFor& parallel);
/// Bytes of scratch memory that convolve() needs.
[[nodiscard]] std::size_t scratch_bytes(const ConvolutionShape& shape, CpuLevel level, bool packed,
                                        int worker_count);

/// The fast f32 convolution described above; depthwise ones keep channels in vector lanes.
/// Shapes:  any; no channels give the bias.
/// Threads: splits result pixels and panels over `context.parallel`.
/// Errors:  none; strides and extents fit (checked by the shape rule).
void convolve(const ConvolutionArguments& arguments, const KernelContext& context);

/// How convolve() goes about it, for people who ask.
struct ConvolutionForm {
  bool depthwise = false;
  bool copies_x = false;            ///< x is not channels-last
  bool merges_taps = false;         ///< the taps of a filter row are one piece
  std::int64_t segments = 0;        ///< pieces per result pixel
  std::int64_t segment_length = 0;  ///< elements of a piece
  std::int64_t block_pixels = 0;    ///< result pixels that share a table of pointers
  std::int64_t tile_rows = 0;
  std::int64_t tile_columns = 0;
};
[[nodiscard]] ConvolutionForm convolution_form(const ConvolutionShape& shape, CpuLevel level);

// ---- transposed ---------------------------------------------------------------------------------

// y[n, o, i * stride - pad + k * dilation] += x[n, c, i] * w[c, o, k]. Result pixels with the same
// remainder by the stride (a phase) see the same taps, so each phase is a convolution of stride 1.
// axes[].input is an extent of x, output one of y; the other fields are those of the transposed
// window.

/// How many phases an axis has; packed weights depend on it.
[[nodiscard]] inline std::int64_t phase_count(const WindowAxis& axis) {
  return axis.stride < axis.output ? axis.stride : axis.output;
}
[[nodiscard]] std::int64_t transposed_packed_elements(const ConvolutionShape& shape,
                                                      CpuLevel level);
void pack_transposed_weights(const ConvolutionShape& shape, const float* weights, CpuLevel level,
                             float* packed, ParallelFor& parallel);
[[nodiscard]] std::size_t transposed_scratch_bytes(const ConvolutionShape& shape, CpuLevel level,
                                                   bool packed, int worker_count);
/// The fast f32 transposed convolution. Order of an element's chain: bias, taps ascending, channels
/// ascending; taps outside x count as zeros.
void convolve_transposed(const ConvolutionArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels::convolution
