#pragma once

#include <span>
#include <string>
#include <vector>

#include <pliant/session.h>

namespace pliant::testing {

/// What one request gave.
struct TierRuns {
  Result<std::vector<Tensor>> interpreted;  ///< by the interpreter
  int plan_tiers = 0;                       ///< tiers of plans that took the request
  std::string complaint;                    ///< empty, or how a tier differs from the interpreter
};

/// Runs a request by the interpreter, by plans for any size, for a bucket and for exactly the sizes,
/// and by whatever the session chooses. All must give the same bits, or the same error; a tier that
/// declines the program (kUnsupported) is left out.
/// The session needs rounding_fusions off, and a program without random rows.
[[nodiscard]] TierRuns run_in_all_tiers(Session& session, std::span<const NamedTensor> inputs);

}  // namespace pliant::testing
