#pragma once

#include <cstdint>
#include <span>

#include "shapes/box.h"

namespace pliant::shapes {

/// The bucket of an extent: 0..w, w+1..2w, 2w+1..3w, … for a bucket width w >= 1. Where the entry
/// has facts, 0 and 1 are buckets of their own and the first one starts at 2. `extent` >= 0; the
/// last bucket ends at the greatest number that there is.
[[nodiscard]] Interval extent_bucket(std::int64_t extent, std::int64_t bucket_width,
                                     bool has_facts);

/// The box that the shape policy would compile for a signature: extents in buckets, elements
/// unbounded, and what is always exact exact. Two signatures have the same bucketed box or two
/// that share nothing.
[[nodiscard]] Box bucketed_box(std::span<const Entry> entries, Signature signature,
                               std::int64_t bucket_width);

}  // namespace pliant::shapes
