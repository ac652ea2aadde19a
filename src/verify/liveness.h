#pragma once

#include <vector>

#include <pliant/result.h>

#include "verify/control_flow.h"
#include "verify/slots.h"

namespace pliant::verify {

/// For each block the slots whose value at its start is read later, in ascending order. Only for
/// these does the verifier remember anything at the start of the block. The end of the run reads all
/// outputs.
///
/// Takes time and memory in proportion to the result.
/// Errors: kResourceExhausted when that is more than programs of sane form need.
[[nodiscard]] Result<std::vector<std::vector<int>>> find_live_slots(const Program& program,
                                                                    const ControlFlow& flow,
                                                                    const Slots& slots);

}  // namespace pliant::verify
