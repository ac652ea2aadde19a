#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace pliant::plan {

/// A place in one of the buffers of a run.
struct Place {
  int buffer = 0;           ///< position in BoundRun::buffers
  std::int64_t offset = 0;  ///< bytes from its beginning
};

/// How far a place may be from the beginning of its buffer, in bytes, and how many buffers there are.
inline constexpr std::uint64_t kPlaceReach = std::uint64_t{1} << 45;
inline constexpr std::size_t kMostPlaceBuffers = (std::size_t{1} << 17);

/// Calls are bound before buffers have memory: tensors stand at addresses that no memory has (user
/// space ends below 2^47 on this architecture) and that tell the place. Moving such an address by
/// less than kPlaceReach moves the place. Nothing may be read or written there.
[[nodiscard]] inline void* address_of(const Place& place) {
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 60;
  return reinterpret_cast<void*>(kFirst +
                                 2 * kPlaceReach * static_cast<std::uint64_t>(place.buffer) +
                                 static_cast<std::uint64_t>(place.offset));
}

/// The place that an address stands for; empty for real addresses, and null.
[[nodiscard]] inline std::optional<Place> place_at(const void* address) {
  constexpr std::uint64_t kLowest = (std::uint64_t{1} << 60) - kPlaceReach;
  const auto bits = reinterpret_cast<std::uint64_t>(address);
  if (bits < kLowest) {
    return std::nullopt;
  }
  const std::uint64_t distance = bits - kLowest;
  return Place{static_cast<int>(distance / (2 * kPlaceReach)),
               static_cast<std::int64_t>(distance % (2 * kPlaceReach)) -
                   static_cast<std::int64_t>(kPlaceReach)};
}

}  // namespace pliant::plan
