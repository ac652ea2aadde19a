#pragma once

#include <cstdint>
#include <optional>

namespace pliant::plan {

/// A place in one of the buffers of a run.
struct Place {
  int buffer = 0;           ///< position in BoundRun::buffers
  std::int64_t offset = 0;  ///< bytes from its beginning
};

/// Calls are bound before buffers have memory: tensors stand at addresses that no memory has and
/// that tell the place. Moving such an address by up to 512 GiB moves the place. Nothing may be read
/// or written there.
[[nodiscard]] inline void* address_of(const Place& place) {
  constexpr std::uint64_t kNobodysMemory = std::uint64_t{1} << 62;
  return reinterpret_cast<void*>(kNobodysMemory + (static_cast<std::uint64_t>(place.buffer) << 40) +
                                 static_cast<std::uint64_t>(place.offset));
}

/// The place that an address stands for; empty for real addresses, and null.
[[nodiscard]] inline std::optional<Place> place_at(const void* address) {
  constexpr std::uint64_t kNobodysMemory = std::uint64_t{1} << 62;
  constexpr std::uint64_t kReach = std::uint64_t{1} << 39;
  const auto bits = reinterpret_cast<std::uint64_t>(address);
  if (bits < kNobodysMemory - kReach) {
    return std::nullopt;
  }
  const std::uint64_t distance = bits - (kNobodysMemory - kReach);
  return Place{static_cast<int>(distance >> 40),
               static_cast<std::int64_t>(distance & ((std::uint64_t{1} << 40) - 1)) -
                   static_cast<std::int64_t>(kReach)};
}

}  // namespace pliant::plan
