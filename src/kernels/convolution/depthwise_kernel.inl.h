// Depthwise rows for one CPU level: channels in lanes. Included by
// depthwise_{portable,avx2,avx512}.cc.

#include "kernels/convolution/depthwise.h"
#include "kernels/simd/vector.h"

namespace pliant::kernels::convolution::PLIANT_SIMD_LEVEL {
namespace {

using namespace kernels::PLIANT_SIMD_LEVEL;  // NOLINT(google-build-using-namespace): the level's
                                             // vectors

/// `kVectors` neighbouring vectors of channels from channel `c` on, for kRows pixels.
template <int kRows, int kVectors>
PLIANT_INLINE void whole_vectors(const DepthwiseArguments& arguments, std::int64_t c) {
  Float sum[kRows][kVectors];
  for (int v = 0; v < kVectors; ++v) {
    const Float start = arguments.bias != nullptr ? load(arguments.bias + c + v * kWidth) : Float{};
    for (int i = 0; i < kRows; ++i) {
      sum[i][v] = start;
    }
  }
  const float* const* pixels = arguments.pixels;
  const float* filter = arguments.filter + c;
  for (std::int64_t tap = 0; tap < arguments.taps; ++tap) {
    for (int v = 0; v < kVectors; ++v) {
      const Float weight = load(filter + v * kWidth);
      for (int i = 0; i < kRows; ++i) {
        sum[i][v] = fused_multiply_add(load(pixels[i] + c + v * kWidth), weight, sum[i][v]);
      }
    }
    pixels += arguments.pointer_stride;
    filter += arguments.channels;
  }
  for (int i = 0; i < kRows; ++i) {
    for (int v = 0; v < kVectors; ++v) {
      store(arguments.y + i * arguments.y_row_stride + c + v * kWidth, sum[i][v]);
    }
  }
}

/// The last `count` channels, fewer than a vector.
template <int kRows>
PLIANT_INLINE void part_of_vector(const DepthwiseArguments& arguments, std::int64_t c,
                                  std::int64_t count) {
  for (int i = 0; i < kRows; ++i) {
    Float sum = arguments.bias != nullptr ? load_partial(arguments.bias + c, count) : Float{};
    for (std::int64_t tap = 0; tap < arguments.taps; ++tap) {
      sum = fused_multiply_add(
          load_partial(arguments.pixels[tap * arguments.pointer_stride + i] + c, count),
          load_partial(arguments.filter + tap * arguments.channels + c, count), sum);
    }
    store_partial(arguments.y + i * arguments.y_row_stride + c, sum, count);
  }
}

template <int kRows>
void depthwise_rows(const DepthwiseArguments& arguments) {
  std::int64_t c = 0;
  for (; c + 2 * kWidth <= arguments.channels; c += 2 * kWidth) {
    whole_vectors<kRows, 2>(arguments, c);
  }
  for (; c + kWidth <= arguments.channels; c += kWidth) {
    whole_vectors<kRows, 1>(arguments, c);
  }
  if (c < arguments.channels) {
    part_of_vector<kRows>(arguments, c, arguments.channels - c);
  }
}

}  // namespace

void (*const kDepthwise[kDepthwiseRows + 1])(const DepthwiseArguments&) = {
    nullptr, depthwise_rows<1>, depthwise_rows<2>, depthwise_rows<3>, depthwise_rows<4>};

}  // namespace pliant::kernels::convolution::PLIANT_SIMD_LEVEL
