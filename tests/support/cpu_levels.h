#pragma once

#include <vector>

#include "base/cpu_features.h"

namespace pliant::testing {

/// The levels that this processor can run, the portable one first.
[[nodiscard]] inline std::vector<CpuLevel> cpu_levels() {
  std::vector<CpuLevel> levels;
  for (const CpuLevel level : {CpuLevel::kPortable, CpuLevel::kAvx2, CpuLevel::kAvx512}) {
    if (level <= detected_cpu_level()) {
      levels.push_back(level);
    }
  }
  return levels;
}

}  // namespace pliant::testing
