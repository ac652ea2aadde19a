#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/result.h"

namespace pliant::shapes {

/// When plans are compiled, for what, and how many are kept. Limits count per segment unless said
/// otherwise.
struct PolicyOptions {
  /// Runs in one bucketed box until it is compiled, in a row or as a decayed count. Range
  /// 1..1,000,000. Lower compiles sooner and more; above about 1,440 only runs in a row count,
  /// because a decayed count cannot become larger.
  std::int64_t min_compile_iters = 50;
  /// Runs after which a count has halved. Range 1..1,000,000. Lower forgets old traffic sooner and
  /// asks a box for a larger share of the traffic.
  std::int64_t half_life_runs = 1000;
  /// Extents that share a bucketed plan. Range 1..65,536. Wider means fewer plans that know less.
  std::int64_t bucket_width = 16;
  /// Boxes whose runs are counted. Range 2..1,048,576. Fewer forget rare boxes sooner.
  std::size_t max_counted_boxes = 1024;

  /// Plans that are kept beside the floor. Range 1..65,536.
  std::size_t max_plans = 32;
  /// Bytes of all plans of the session, floors left out. Range 1 and up.
  std::size_t max_plan_bytes = std::size_t{64} << 20U;

  /// New boxes that may turn hot within `breaker_window`; one more stops compiling. Range
  /// 0..65,536; 0: there is no breaker.
  std::size_t breaker_new_boxes = 16;
  /// Range 1 ms..24 h. Longer notices slower storms.
  std::chrono::milliseconds breaker_window = std::chrono::minutes(2);
  /// How long new boxes must have been few again until one compile is tried. Range 0..24 h.
  /// Shorter recovers sooner and tries more often in vain.
  std::chrono::milliseconds breaker_calm_period = std::chrono::seconds(30);

  /// Heaviest boxes of a traffic profile that are compiled before a session is ready. Range
  /// 0..65,536. More makes loading longer; those above `max_plans` would push others out.
  std::size_t warm_up_boxes = 8;
  /// Distinct signatures that a recorded profile holds. Range 1..65,536.
  std::size_t max_profile_signatures = 4096;
};

/// kInvalidArgument for the first option that lies outside its range, naming both.
[[nodiscard]] Status check_options(const PolicyOptions& options);

}  // namespace pliant::shapes
