#pragma once

#include <pliant/session.h>

#include "base/cpu_features.h"

namespace pliant::session {

/// The CPU level that options ask for. Errors: kInvalidArgument for an unknown word, kUnsupported
/// for a level that this CPU lacks.
[[nodiscard]] Result<CpuLevel> cpu_level_of(const SessionOptions& options);

/// The number of threads that options ask for, or the default of this machine. Errors:
/// kInvalidArgument outside 0..256.
[[nodiscard]] Result<int> thread_count_of(const SessionOptions& options);

}  // namespace pliant::session
