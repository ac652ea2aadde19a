#pragma once

#include <algorithm>
#include <cstdint>

namespace pliant::semantics {

/// Which elements of an axis a slice selects: `count` of them from `start` on.
struct SliceBounds {
  std::int64_t start = 0;
  std::int64_t count = 0;
};

/// Bounds of ONNX Slice: negative ones count from the end once, then both are clamped in the
/// direction of the step. Any 64-bit values; extent >= 0, step not 0.
[[nodiscard]] inline SliceBounds slice_bounds(std::int64_t extent, std::int64_t start,
                                              std::int64_t end, std::int64_t step) {
  const std::int64_t lowest = step > 0 ? 0 : -1;
  const std::int64_t highest = step > 0 ? extent : extent - 1;
  // A negative number plus an extent cannot overflow.
  const std::int64_t first =
      std::clamp(start < 0 ? start + extent : start,
                 step > 0 ? lowest : std::min<std::int64_t>(0, highest), highest);
  const std::int64_t last = std::clamp(end < 0 ? end + extent : end, lowest, highest);
  if (step > 0 ? last <= first : last >= first) {
    return {std::max<std::int64_t>(first, 0), 0};
  }
  // Dividing by the step itself: -step does not exist for the smallest number.
  return {first, (step > 0 ? last - first - 1 : last - first + 1) / step + 1};
}

}  // namespace pliant::semantics
