#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace pliant::plan {

/// A place in one of the buffers of a run.
struct Place {
  int buffer = 0;           ///< position in BoundRun::buffers
  std::int64_t offset = 0;  ///< bytes from its beginning
  bool operator==(const Place&) const = default;
};

/// How far a place may be from the beginning of its buffer, in bytes, and how many buffers there are.
inline constexpr std::uint64_t kPlaceReach = std::uint64_t{1} << 45;
inline constexpr std::size_t kMostPlaceBuffers = (std::size_t{1} << 17);

/// The lowest address that stands for a place.
inline constexpr std::uint64_t kFirstPlaceAddress = (std::uint64_t{1} << 60) - kPlaceReach;

/// Calls are bound before buffers have memory: tensors stand at addresses that no memory has (user
/// space ends below 2^47 on this architecture) and that tell the place. Moving such an address by
/// less than kPlaceReach moves the place. Nothing may be read or written there.
[[nodiscard]] inline void* address_of(const Place& place) {
  return reinterpret_cast<void*>(kFirstPlaceAddress + kPlaceReach +
                                 2 * kPlaceReach * static_cast<std::uint64_t>(place.buffer) +
                                 static_cast<std::uint64_t>(place.offset));
}

/// False for real addresses, and null.
[[nodiscard]] inline bool is_place(const void* address) {
  return reinterpret_cast<std::uint64_t>(address) >= kFirstPlaceAddress;
}

/// The buffer of an address that stands for a place.
[[nodiscard]] inline int buffer_at(const void* address) {
  return static_cast<int>((reinterpret_cast<std::uint64_t>(address) - kFirstPlaceAddress) /
                          (2 * kPlaceReach));
}

/// Whether two addresses that stand for places are equally far from the beginning of their buffers.
[[nodiscard]] inline bool same_offset(const void* a, const void* b) {
  return (reinterpret_cast<std::uint64_t>(a) - reinterpret_cast<std::uint64_t>(b)) %
             (2 * kPlaceReach) ==
         0;
}

/// The place that an address stands for; empty for real addresses, and null.
[[nodiscard]] inline std::optional<Place> place_at(const void* address) {
  if (!is_place(address)) {
    return std::nullopt;
  }
  const std::uint64_t distance = reinterpret_cast<std::uint64_t>(address) - kFirstPlaceAddress;
  return Place{buffer_at(address), static_cast<std::int64_t>(distance % (2 * kPlaceReach)) -
                                       static_cast<std::int64_t>(kPlaceReach)};
}

/// The same place in another buffer.
[[nodiscard]] inline void* moved_to(const void* address, int buffer) {
  const auto distance = static_cast<std::int64_t>(buffer) - buffer_at(address);
  return reinterpret_cast<void*>(reinterpret_cast<std::uint64_t>(address) +
                                 2 * kPlaceReach * static_cast<std::uint64_t>(distance));
}

}  // namespace pliant::plan
