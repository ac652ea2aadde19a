#pragma once

#include <cstddef>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#define PLIANT_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PLIANT_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(PLIANT_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#endif

namespace pliant::memory {

/// Whether this build overwrites memory whose contents mean nothing.
#if defined(PLIANT_ENABLE_DCHECK)
inline constexpr bool kPoisonsMemory = true;
#else
inline constexpr bool kPoisonsMemory = false;
#endif

/// Memory whose contents mean nothing yet: reads of it are NaN in checked builds.
inline void scribble([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
  if constexpr (kPoisonsMemory) {
    std::memset(data, 0xff, bytes);
  }
}

/// Opens a whole block again, also its guarded end.
inline void open_block([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#if defined(PLIANT_ADDRESS_SANITIZER)
  ASAN_UNPOISON_MEMORY_REGION(data, bytes);
#endif
}

/// Marks a free block: reads of it are NaN in checked builds and reported by AddressSanitizer.
inline void poison_block([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
  open_block(data, bytes);
  scribble(data, bytes);
#if defined(PLIANT_ADDRESS_SANITIZER)
  ASAN_POISON_MEMORY_REGION(data, bytes);
#endif
}

/// Opens the first `used` bytes of a block and keeps the rest guarded.
inline void unpoison_block([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes,
                           [[maybe_unused]] std::size_t used) {
#if defined(PLIANT_ADDRESS_SANITIZER)
  ASAN_POISON_MEMORY_REGION(data, bytes);
  ASAN_UNPOISON_MEMORY_REGION(data, used);
#endif
}

}  // namespace pliant::memory
