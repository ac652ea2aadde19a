#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
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

/// Runs of requests that the interpreter takes, in one tier that was chosen by hand.
struct TierRuns {
  int planned = 0;
  int unplanned = 0;  ///< that the tier refused as one that cannot be had
  /// What was said then, with the sizes at which it was said first.
  std::map<std::string, std::string> refusals{};

  void add(const TierRuns& more);
};
using RunsByTier = std::map<Tier, TierRuns>;  ///< any, bucketed and exact

/// "any 20 (0 refused), bucketed 40 (1 refused)".
[[nodiscard]] std::string to_string(const RunsByTier& runs);
/// A refusal that does not have the words of a known limit in it, with tier and sizes; or of a tier
/// that refused everything. Empty: there is none.
[[nodiscard]] std::string unexpected_refusal(const RunsByTier& runs,
                                             std::initializer_list<std::string_view> known_limits);
[[nodiscard]] bool has_refusal(const RunsByTier& runs);

/// What came of a sweep.
struct SweepResult {
  int requests = 0;
  int refused = 0;                      ///< by the interpreter, and so in every tier
  RunsByTier tiers{};                   ///< tiers chosen by hand
  std::size_t boxes = 0;                ///< of bucketed plans that ran
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
