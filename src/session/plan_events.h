#pragma once

#include <cstdint>
#include <string>

#include <pliant/session.h>

#include "session/compile_policy.h"
#include "shapes/breaker.h"

namespace pliant::session {

// What the listener of a session is told about the plans of a segment, by its name. A box is given
// as words.

/// "published", …
[[nodiscard]] const char* words_of(CompileOutcome outcome);

/// What a compile came to. `reason`: why nothing came out.
struct CompileEvent {
  std::string segment;
  Tier tier = Tier::kAny;
  std::string box;
  CompileOutcome outcome = CompileOutcome::kFailed;
  std::string reason;
  std::uint64_t nanoseconds = 0;
};
[[nodiscard]] LogEvent to_log(const CompileEvent& event);

/// The breaker of a segment changed. `axis`: what varies most, if that is known; `advice`: what a
/// reader can do about an open one.
[[nodiscard]] LogEvent breaker_event(const std::string& segment,
                                     const shapes::BreakerChange& change, const std::string& axis,
                                     const std::string& advice);

}  // namespace pliant::session
