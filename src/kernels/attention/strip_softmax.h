#pragma once

#include <cstdint>

#include "base/cpu_features.h"

namespace pliant::kernels::attention {

/// One row of scores of a strip, turned into exp(score - maximum) in place.
struct StripRowArguments {
  float* scores = nullptr;
  std::int64_t count = 0;
  float scale = 1;
  float softcap = 0;
  /// Added after the cap, [count]; or null.
  const float* added = nullptr;
  /// A score whose byte is 0 becomes minus infinity, [count]; or null.
  const std::uint8_t* seen = nullptr;
};

struct StripKernels {
  CpuLevel level = CpuLevel::kPortable;
  /// Returns 1 / sum; 0 if every score is minus infinity (then all scores become 0).
  float (*softmax_row)(const StripRowArguments&) = nullptr;
  /// to[i] = from[i] * factor for i < count.
  void (*scale_row)(const float* from, std::int64_t count, float factor, float* to) = nullptr;
};
[[nodiscard]] const StripKernels& strip_kernels(CpuLevel level);

}  // namespace pliant::kernels::attention
