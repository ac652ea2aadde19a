#pragma once

#include <vector>

#include <pliant/session.h>

#include "encoder.h"
#include "traffic.h"

namespace demo {

/// Serves the same requests in four ways, taking turns request by request so that a busy machine is
/// equally busy for all: interpreted, padded to the longest length, padded to the next power of two,
/// and by plans at the true sizes. Padded requests run by the same plans, so only padding differs.
/// Prints a table. The model has no mask, so answers to padded requests are of no use; nobody reads
/// them. Errors: those of Session::run().
[[nodiscard]] pliant::Status compare_ways(pliant::Session& session,
                                          const std::vector<Request>& requests,
                                          std::int64_t longest);

}  // namespace demo
