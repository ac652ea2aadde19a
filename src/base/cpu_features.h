#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pliant {

/// Instruction-set level that a kernel needs. Each level contains the ones before it.
enum class CpuLevel : std::uint8_t {
  kPortable,  ///< any x86-64 (SSE2)
  kAvx2,      ///< AVX2, FMA, F16C, BMI2 (Haswell, 2013, and later)
  kAvx512,    ///< AVX-512 F, BW, CD, DQ, VL (Skylake server and later)
};

/// The best level that this processor and operating system support; found once, thread-safe.
[[nodiscard]] CpuLevel detected_cpu_level();

/// "portable", "avx2" or "avx512".
[[nodiscard]] std::string_view name(CpuLevel level);
[[nodiscard]] std::optional<CpuLevel> cpu_level_from_name(std::string_view name);

/// Sizes that block kernels are tuned with, in bytes per core (l3: shared). Defaults where the
/// system does not tell.
struct CacheSizes {
  std::int64_t l1 = 32 << 10;
  std::int64_t l2 = 512 << 10;
  std::int64_t l3 = 16 << 20;
};
[[nodiscard]] const CacheSizes& detected_cache_sizes();

}  // namespace pliant
