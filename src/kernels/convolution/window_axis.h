#pragma once

#include <cstdint>

namespace pliant::kernels {

/// One spatial axis under a sliding window: output o looks at inputs o * stride - pad_begin + k *
/// dilation for 0 <= k < window; what lies outside [0, input) is padding. Instructions with fewer
/// than three spatial axes have leading axes of this default.
struct WindowAxis {
  std::int64_t input = 1;
  std::int64_t output = 1;
  std::int64_t window = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad_begin = 0;
  std::int64_t pad_end = 0;

  [[nodiscard]] std::int64_t first_input(std::int64_t position) const {
    return position * stride - pad_begin;
  }
  [[nodiscard]] bool contains(std::int64_t index) const { return index >= 0 && index < input; }
};

inline constexpr int kSpatialAxes = 3;  ///< depth, height, width

}  // namespace pliant::kernels
