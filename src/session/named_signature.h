#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/session.h>

#include "session/planned_program.h"

namespace pliant::session {

/// The segment at the beginning of a program, and sizes that a caller has named.
struct NamedSignature {
  SegmentPlans* segment = nullptr;
  std::vector<std::int64_t> signature;
};

/// Puts sizes that are given by name into the order of the first segment's entries. Errors:
/// kInvalidArgument (a name is missing, unknown or doubled, an extent is negative), kUnsupported (no
/// segment has sizes that are known before a run).
[[nodiscard]] Result<NamedSignature> find_signature(PlannedProgram& planned,
                                                    std::span<const NamedSize> sizes);

}  // namespace pliant::session
