// Weighted sums for one CPU level. Included by blend_{portable,avx2,avx512}.cc.

#include "kernels/resize/blend.h"
#include "kernels/simd/vector.h"

namespace pliant::kernels::resize::PLIANT_SIMD_LEVEL {
namespace {

using namespace kernels::
    PLIANT_SIMD_LEVEL;  // NOLINT(google-build-using-namespace): the level's vectors

void blend_rows(const BlendArguments& a) {
  const auto row = [&](std::int64_t tap) {
    return a.x + a.indices[tap * a.table_stride] * a.row_stride;
  };
  std::int64_t i = 0;
  for (; i + kWidth <= a.count; i += kWidth) {
    Float sum{};
    for (std::int64_t tap = 0; tap < a.taps; ++tap) {
      sum = fused_multiply_add(broadcast(a.weights[tap * a.table_stride]), load(row(tap) + i), sum);
    }
    store(a.y + i, sum);
  }
  const std::int64_t rest = a.count - i;
  if (rest > 0) {
    Float sum{};
    for (std::int64_t tap = 0; tap < a.taps; ++tap) {
      sum = fused_multiply_add(broadcast(a.weights[tap * a.table_stride]),
                               load_partial(row(tap) + i, rest), sum);
    }
    store_partial(a.y + i, sum, rest);
  }
}

PLIANT_INLINE Float gather(const float* x, const std::int64_t* indices, std::int64_t count) {
  Float value{};
  for (std::int64_t lane = 0; lane < count; ++lane) {
    value[lane] = x[indices[lane]];
  }
  return value;
}

void blend_within_row(const BlendArguments& a) {
  std::int64_t j = 0;
  for (; j + kWidth <= a.count; j += kWidth) {
    Float sum{};
    for (std::int64_t tap = 0; tap < a.taps; ++tap) {
      const std::int64_t at = tap * a.table_stride + j;
      sum = fused_multiply_add(load(a.weights + at), gather(a.x, a.indices + at, kWidth), sum);
    }
    store(a.y + j, sum);
  }
  const std::int64_t rest = a.count - j;
  if (rest > 0) {
    Float sum{};
    for (std::int64_t tap = 0; tap < a.taps; ++tap) {
      const std::int64_t at = tap * a.table_stride + j;
      sum = fused_multiply_add(load_partial(a.weights + at, rest),
                               gather(a.x, a.indices + at, rest), sum);
    }
    store_partial(a.y + j, sum, rest);
  }
}

}  // namespace

const BlendKernels kBlendKernels{blend_rows, blend_within_row};

}  // namespace pliant::kernels::resize::PLIANT_SIMD_LEVEL
