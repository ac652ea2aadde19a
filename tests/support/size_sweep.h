#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <pliant/session.h>

#include "support/made_inputs.h"

namespace pliant::testing {

/// Which sizes around a recorded request are tried, besides all sizes of the bucket of each symbol
/// alone and of all symbols of one size together.
struct SweepBreadth {
  std::int64_t bucket_width = 16;  ///< PlanOptions::bucket_width
  /// Any two symbols grow and shrink together within their buckets: sizes that depend on each other.
  bool pairs = false;
  /// Points in the buckets of all symbols at once.
  int random_points = 0;
};

/// The sizes of the symbols, one list for each request; none is the recorded one.
[[nodiscard]] std::vector<std::vector<std::int64_t>> sizes_in_buckets(
    std::span<const InputMaker::Symbol> symbols, SweepBreadth breadth, std::uint64_t seed);

/// What came of a sweep.
struct SweepResult {
  int requests = 0;
  int refused = 0;              ///< by the interpreter, and so in every tier
  int unplanned = 0;            ///< that the interpreter takes, but a bucketed plan does not,
  std::string why_unplanned{};  ///< and what was said the first time
  std::size_t boxes = 0;        ///< of bucketed plans that ran
  std::vector<std::string> unvaried{};  ///< symbols that no other size was accepted for
  std::string complaint{};              ///< how a plan differs from the interpreter; or empty
};

/// Runs requests like the recorded ones at every size of their buckets: by a bucketed plan, twice,
/// and in another tier, in random order of sizes and tiers. Every answer must be the interpreter's,
/// bit for bit, errors word for word (but for missing memory). The session needs rounding_fusions
/// off and a program without random rows.
[[nodiscard]] SweepResult sweep_sizes(Session& session, std::span<const InputMaker> recorded,
                                      SweepBreadth breadth);

}  // namespace pliant::testing
