#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shapes/box.h"
#include "shapes/entry.h"
#include "shapes/profile_name.h"

namespace pliant::shapes {

// A traffic profile is a file that people keep and edit, so what it may say is limited. Recording
// keeps to the same limits: what a session wrote, any session reads.
inline constexpr std::int64_t kMaxProfiledExtent = (std::int64_t{1} << 40U) - 1;
inline constexpr std::size_t kMaxProfiledSegments = 4096;
inline constexpr std::size_t kMaxProfiledEntries = 1024;       // of a segment
inline constexpr std::size_t kMaxProfiledSignatures = 65'536;  // of a segment
inline constexpr std::size_t kMaxProfiledInputs = 65'536;

/// A signature and how often it was seen; `weight` >= 1.
struct ProfiledSignature {
  std::vector<std::int64_t> values;
  std::uint64_t weight = 1;

  friend bool operator==(const ProfiledSignature&, const ProfiledSignature&) = default;
};

/// What a profile says of an entry: enough to tell whether it is about the same program.
struct ProfiledEntry {
  std::string name;  ///< as profile_name() writes it
  Entry::Kind kind = Entry::Kind::kExtent;

  friend bool operator==(const ProfiledEntry&, const ProfiledEntry&) = default;
};

/// The traffic of one segment.
struct SegmentProfile {
  std::string name;  ///< which segment of the program, and which ranks where those vary
  std::vector<ProfiledEntry> entries{};
  std::vector<ProfiledSignature> signatures{};  ///< distinct, as long as `entries`
  std::uint64_t forgotten_weight = 0;           ///< of signatures that were too light to keep

  friend bool operator==(const SegmentProfile&, const SegmentProfile&) = default;
};

/// The least and the greatest element seen in an integer input.
struct ValueRange {
  std::string input;  ///< as profile_name() writes it
  std::int64_t low = 0;
  std::int64_t high = 0;

  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// What a session saw of its traffic.
struct Profile {
  std::string program;  ///< identifies the program; empty: not said
  std::vector<SegmentProfile> segments;
  std::vector<ValueRange> value_ranges;

  friend bool operator==(const Profile&, const Profile&) = default;
};

/// The entries of a segment as its profile names them.
[[nodiscard]] std::vector<ProfiledEntry> profiled_entries(std::span<const Entry> entries);

/// Whether a profile could have been recorded by a segment with these entries.
[[nodiscard]] bool is_about(const SegmentProfile& profile, std::span<const Entry> entries);

/// A box and the weight of the traffic inside.
struct WeightedBox {
  Box box;
  std::uint64_t weight = 0;
  std::vector<std::int64_t> heaviest;  ///< the signature inside with the greatest weight
};

/// The bucketed boxes that a segment's profile falls into, heaviest first, at most `count`. The
/// profile is_about() the entries. Weights that are too large to add stay at the greatest number.
[[nodiscard]] std::vector<WeightedBox> heaviest_boxes(const SegmentProfile& profile,
                                                      std::span<const Entry> entries,
                                                      std::int64_t bucket_width, std::size_t count);

}  // namespace pliant::shapes
