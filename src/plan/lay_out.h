#pragma once

#include <span>
#include <vector>

#include "plan/bound_run.h"
#include "plan/decline_reason.h"
#include "plan/environment.h"
#include "plan/plan.h"

namespace pliant::plan {

/// Turns a plan and a signature into a bound run: sizes are computed and checked, operators choose
/// strides, scratch memory and kernels, and every tensor gets its place in a buffer. Calls hold
/// addresses that stand for places until place_run() says where the buffers are. `live_ins` are the
/// tensors of the run, whose elements are not looked at. kNone if all went well.
///
/// `details` may be null; otherwise it gets one entry per call, and the run can not be placed.
[[nodiscard]] DeclineReason lay_out(const Plan& plan, shapes::Signature signature,
                                    std::span<const TensorView> live_ins,
                                    const Environment& environment, Scratchpad& scratchpad,
                                    BoundRun& run, std::vector<CallDetails>* details = nullptr);

}  // namespace pliant::plan
