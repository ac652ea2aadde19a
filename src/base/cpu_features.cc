#include "base/cpu_features.h"

#include <cpuid.h>
#include <unistd.h>

#include <array>

namespace pliant {
namespace {

constexpr std::array<std::string_view, 3> kLevelNames = {"portable", "avx2", "avx512"};

// The compiler's run-time check does not know this feature under every compiler.
bool has_f16c() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

CpuLevel detect_level() {
  // The compiler's run-time check also asks the operating system (XGETBV) whether it saves the
  // registers.
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c() &&
                    __builtin_cpu_supports("bmi2");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (avx512) {
    return CpuLevel::kAvx512;
  }
  return avx2 ? CpuLevel::kAvx2 : CpuLevel::kPortable;
}

CacheSizes detect_caches() {
  CacheSizes sizes;
  const auto ask = [](int name, std::int64_t& size) {
    if (const long value = sysconf(name); value > 0) {
      size = value;
    }
  };
  ask(_SC_LEVEL1_DCACHE_SIZE, sizes.l1);
  ask(_SC_LEVEL2_CACHE_SIZE, sizes.l2);
  ask(_SC_LEVEL3_CACHE_SIZE, sizes.l3);
  return sizes;
}

}  // namespace

CpuLevel detected_cpu_level() {
  static const CpuLevel kLevel = detect_level();
  return kLevel;
}

const CacheSizes& detected_cache_sizes() {
  static const CacheSizes kSizes = detect_caches();
  return kSizes;
}

std::string_view name(CpuLevel level) {
  return kLevelNames[static_cast<std::size_t>(level)];
}

std::optional<CpuLevel> cpu_level_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    if (kLevelNames[i] == name) {
      return static_cast<CpuLevel>(i);
    }
  }
  return std::nullopt;
}

}  // namespace pliant
