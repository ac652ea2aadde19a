#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "isa/opcode.h"

namespace pliant::semantics {

/// floor(extent * scale) as ONNX computes it: in f32. Empty when the scale is not positive and
/// finite or the product is too large for an extent.
[[nodiscard]] std::optional<std::int64_t> scaled_extent(std::int64_t extent, double scale);

/// The one scale that keeps the aspect ratio when `extents` shall become `targets`: the smallest
/// (not_larger) or largest (not_smaller) ratio. Extents are at least 1.
[[nodiscard]] double common_scale(isa::AspectRatio policy, std::span<const std::int64_t> extents,
                                  std::span<const std::int64_t> targets);

}  // namespace pliant::semantics
