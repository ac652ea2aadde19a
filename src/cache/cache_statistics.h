#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "shapes/breadth.h"

namespace pliant::cache {

/// What a plan cache holds and what became of its lookups.
struct CacheStatistics {
  std::size_t plans = 0;  ///< floors left out
  std::size_t floor_plans = 0;
  std::size_t plan_bytes = 0;  ///< of `plans`
  std::size_t floor_bytes = 0;

  std::array<std::uint64_t, shapes::kBreadthCount> hits{};  ///< by breadth of the plan found
  std::uint64_t misses = 0;                                 ///< lookups that found no plan

  std::uint64_t insertions = 0;            ///< floors and replacements included
  std::uint64_t replacements = 0;          ///< of a plan for the same box
  std::uint64_t evictions_by_count = 0;    ///< there were more than max_plans
  std::uint64_t evictions_by_bytes = 0;    ///< the session's plans were too large together
  std::uint64_t refused_as_too_large = 0;  ///< plans larger than the whole budget
};

}  // namespace pliant::cache
