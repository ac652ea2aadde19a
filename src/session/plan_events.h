#pragma once

#include <string>
#include <string_view>

#include <pliant/session.h>

#include "shapes/breaker.h"

namespace pliant::session {

/// The breaker of a segment changed. `axis`: what varies most, if that is known; `advice`: what a
/// reader can do about an open one.
[[nodiscard]] LogEvent breaker_event(const std::string& segment,
                                     const shapes::BreakerChange& change, const std::string& axis,
                                     const std::string& advice);

}  // namespace pliant::session
