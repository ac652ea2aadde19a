#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "shapes/profile.h"

namespace pliant::shapes {

/// Version of the JSON form that is written, and the only one that is read.
inline constexpr int kProfileVersion = 1;

/// Longest text that read_profile() looks at.
inline constexpr std::size_t kMaxProfileBytes = std::size_t{32} << 20U;

/// Writes a profile as JSON, one signature a line:
///
///     {
///       "format": "pliant-profile",
///       "version": 1,
///       "program": "…",
///       "segments": [
///         {
///           "name": "main",
///           "entries": [{"name": "seq", "kind": "extent"}],
///           "signatures": [
///             {"values": [128], "weight": 41},
///             {"values": [17], "weight": 9}
///           ],
///           "forgotten_weight": 0
///         }
///       ],
///       "value_ranges": [
///         {"input": "ids", "low": 0, "high": 30521}
///       ]
///     }
///
/// `kind` is "extent" or "element". Names are as profile_name() makes them.
[[nodiscard]] std::string write_profile(const Profile& profile);

/// Reads a profile that anybody may have written.
///
/// Every key is wanted, except `forgotten_weight` and `value_ranges`, and none besides; extents lie
/// in 0..kMaxProfiledExtent, weights are 1 or more, low <= high, and no segment, signature or input
/// is listed twice. Memory is bounded by a constant and by the length of the text.
///
/// Errors: kCorrupt, naming the place ("segments[0].signatures[3].values[1]", or line and column
/// where the text is no JSON) and the value; kUnsupported (another version); kResourceExhausted (a
/// limit of profile.h, or the text is too long).
[[nodiscard]] Result<Profile> read_profile(std::string_view text);

}  // namespace pliant::shapes
