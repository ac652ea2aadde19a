#pragma once

#include "kernels/normalise/normalise_row.h"
#include "kernels/simd/vector.h"

namespace pliant::kernels::PLIANT_SIMD_LEVEL {
namespace {

/// Calls step(i, whole) for the vectors of a row, the last one with the number of lanes left.
template <class Step>
PLIANT_INLINE void for_vectors(std::int64_t count, Step step) {
  std::int64_t i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    step(i, static_cast<std::int64_t>(kWidth));
  }
  if (i < count) {
    step(i, count - i);
  }
}
PLIANT_INLINE Float load_lanes(const float* from, std::int64_t lanes) {
  return lanes == kWidth ? load(from) : load_partial(from, lanes);
}
PLIANT_INLINE void store_lanes(float* to, Float value, std::int64_t lanes) {
  if (lanes == kWidth) {
    store(to, value);
  } else {
    store_partial(to, value, lanes);
  }
}

}  // namespace

void scale_row(const ScaleRow<float>& row) {
  const Float mean = broadcast(row.mean);
  const Float inverse = broadcast(row.inverse);
  if (row.scale == nullptr && row.bias == nullptr) {
    for_vectors(
        row.count, [&](std::int64_t i, std::int64_t lanes) __attribute__((always_inline)) {
          store_lanes(row.y + i, (load_lanes(row.x + i, lanes) - mean) * inverse, lanes);
        });
  } else if (row.bias == nullptr) {
    for_vectors(
        row.count, [&](std::int64_t i, std::int64_t lanes) __attribute__((always_inline)) {
          const Float normal = (load_lanes(row.x + i, lanes) - mean) * inverse;
          store_lanes(row.y + i, normal * load_lanes(row.scale + i, lanes), lanes);
        });
  } else if (row.scale == nullptr) {
    for_vectors(
        row.count, [&](std::int64_t i, std::int64_t lanes) __attribute__((always_inline)) {
          const Float deviation = load_lanes(row.x + i, lanes) - mean;
          store_lanes(row.y + i,
                      fused_multiply_add(deviation, inverse, load_lanes(row.bias + i, lanes)),
                      lanes);
        });
  } else {
    for_vectors(
        row.count, [&](std::int64_t i, std::int64_t lanes) __attribute__((always_inline)) {
          const Float normal = (load_lanes(row.x + i, lanes) - mean) * inverse;
          const Float scaled = fused_multiply_add(normal, load_lanes(row.scale + i, lanes),
                                                  load_lanes(row.bias + i, lanes));
          store_lanes(row.y + i, scaled, lanes);
        });
  }
}

void scale_segment(const ScaleSegment<float>& segment) {
  const Float mean = broadcast(segment.mean);
  const Float factor = broadcast(segment.factor);
  const Float bias = broadcast(segment.bias);
  for_vectors(
      segment.count, [&](std::int64_t i, std::int64_t lanes) __attribute__((always_inline)) {
        const Float deviation = load_lanes(segment.x + i, lanes) - mean;
        store_lanes(segment.y + i, fused_multiply_add(deviation, factor, bias), lanes);
      });
}

}  // namespace pliant::kernels::PLIANT_SIMD_LEVEL
