#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interp/interpreter.h"
#include "memory/pool.h"
#include "session/segment.h"
#include "session/value_ranges.h"

namespace pliant::session {

/// Values for an execution of one segment beside all runs.
struct CheckInputs {
  std::vector<std::int64_t> signature;
  std::vector<StoredTensor> inputs;                 ///< by Program::inputs
  std::vector<std::int64_t> symbols;                ///< by Program::symbols
  std::vector<StoredTensor> live_ins;               ///< by Graph::live_ins
  std::vector<std::pair<int, std::int64_t>> sizes;  ///< of size registers, by number
};

/// Makes up values for a signature: reals in -1..1, integers within the ranges that were seen, or 0
/// and 1; the same for the same signature. Empty when the signature does not say how large something
/// is, or there is not enough memory.
[[nodiscard]] std::optional<CheckInputs> make_check_inputs(const Segment& segment,
                                                           shapes::Signature signature,
                                                           const ValueRanges& ranges,
                                                           memory::Pool& pool);

/// Brings an execution to the beginning of the segment, with these values.
void enter_segment(const Segment& segment, const CheckInputs& inputs, interp::Execution& execution);

}  // namespace pliant::session
