#pragma once

#include <cstdint>
#include <span>

#include "shapes/box.h"

namespace pliant::shapes {

/// How much of the possible traffic a box covers, narrowest first: the order in which plans are
/// preferred.
enum class Breadth : std::uint8_t { kExact, kBucketed, kAnySize };

inline constexpr std::size_t kBreadthCount = 3;

/// "exact", "bucketed" or "any size".
[[nodiscard]] const char* breadth_name(Breadth breadth);

/// kAnySize when nothing but the entries that are always exact is bounded; a segment that has no
/// other entries has only boxes of this kind. Otherwise kExact when the box is one signature.
[[nodiscard]] Breadth breadth_of(const Box& box, std::span<const Entry> entries);

}  // namespace pliant::shapes
