#include "kernels/convolution/pointer_block.h"

#include <algorithm>
#include <cstring>

#include "kernels/gemm/gemm.h"

namespace pliant::kernels::convolution {
namespace {

// From this many channels on, a pointer per tap costs nothing beside the products behind it.
constexpr std::int64_t kMergeBelowChannels = 32;
constexpr std::int64_t kLargestBlock = std::int64_t{16} * gemm::kMaxTileRows;
constexpr std::int64_t kPointersPerBlock = 4096;        // 32 KiB
constexpr std::int64_t kPatchElementsPerBlock = 32768;  // 128 KiB

/// The piece of one filter row for one pixel, which may begin or end outside x.
const float* row_piece(const WindowAxis& width, const float* row, std::int64_t channels,
                       std::int64_t first, const float* zeros, float* patch) {
  if (first >= 0 && first + width.window <= width.input) {
    return row + first * channels;
  }
  const std::int64_t begin = std::max<std::int64_t>(first, 0);
  const std::int64_t end = std::min(first + width.window, width.input);
  if (begin >= end) {
    return zeros;
  }
  const auto bytes = [&](std::int64_t taps) {
    return static_cast<std::size_t>(taps * channels) * sizeof(float);
  };
  std::memset(patch, 0, bytes(begin - first));
  std::memcpy(patch + (begin - first) * channels, row + begin * channels, bytes(end - begin));
  std::memset(patch + (end - first) * channels, 0, bytes(first + width.window - end));
  return patch;
}

}  // namespace

Walk choose_walk(const ConvolutionShape& shape) {
  Walk walk;
  const WindowAxis& width = shape.axes[2];
  const bool neighbours =
      shape.group == 1 && width.dilation == 1 && shape.x_strides[4] == shape.channels;
  walk.merged = neighbours && width.window > 1 && shape.channels < kMergeBelowChannels;
  walk.segments = shape.axes[0].window * shape.axes[1].window * (walk.merged ? 1 : width.window);
  walk.segment_length = shape.channels * (walk.merged ? width.window : 1);
  const std::int64_t k = walk.segments * walk.segment_length;
  std::int64_t rows =
      std::min(kLargestBlock, kPointersPerBlock / std::max<std::int64_t>(walk.segments, 1));
  if (walk.merged) {
    rows = std::min(rows, kPatchElementsPerBlock / std::max<std::int64_t>(k, 1));
  }
  walk.block_rows = std::max<std::int64_t>(rows / gemm::kMaxTileRows, 1) * gemm::kMaxTileRows;
  return walk;
}

void fill_pointers(const ConvolutionShape& shape, const Walk& walk, const float* x,
                   std::int64_t first, std::int64_t count, const float* zeros, float* patches,
                   const float** pointers) {
  const WindowAxis& depth = shape.axes[0];
  const WindowAxis& height = shape.axes[1];
  const WindowAxis& width = shape.axes[2];
  std::int64_t rest = first;
  std::int64_t ow = rest % width.output;
  rest /= width.output;
  std::int64_t oh = rest % height.output;
  rest /= height.output;
  std::int64_t od = rest % depth.output;
  std::int64_t image = rest / depth.output;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t iw = width.first_input(ow);
    const float** pointer = pointers + i;
    for (std::int64_t kd = 0; kd < depth.window; ++kd) {
      const std::int64_t id = depth.first_input(od) + kd * depth.dilation;
      for (std::int64_t kh = 0; kh < height.window; ++kh) {
        const std::int64_t ih = height.first_input(oh) + kh * height.dilation;
        const bool inside = depth.contains(id) && height.contains(ih);
        const float* row = inside ? x + image * shape.x_strides[0] + id * shape.x_strides[2] +
                                        ih * shape.x_strides[3]
                                  : nullptr;
        if (walk.merged) {
          float* patch = patches + (pointer - pointers) * walk.segment_length;
          *pointer = inside ? row_piece(width, row, shape.channels, iw, zeros, patch) : zeros;
          pointer += walk.block_rows;
          continue;
        }
        for (std::int64_t kw = 0; kw < width.window; ++kw) {
          const std::int64_t at = iw + kw * width.dilation;
          *pointer = inside && width.contains(at) ? row + at * shape.x_strides[4] : zeros;
          pointer += walk.block_rows;
        }
      }
    }
    if (++ow == width.output) {
      ow = 0;
      if (++oh == height.output) {
        oh = 0;
        if (++od == depth.output) {
          od = 0;
          ++image;
        }
      }
    }
  }
}

}  // namespace pliant::kernels::convolution
