#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/operand.h"

namespace pliant::plan {

/// The axes that a REDUCE_… row with keepdims reduces, of an operand of this rank: ascending, from
/// 0. Empty optional when it drops them, reduces none, or has axes that are no numbers.
[[nodiscard]] std::optional<std::vector<std::int64_t>> kept_reduced_axes(
    const isa::Instruction& reduction, std::size_t rank);

}  // namespace pliant::plan
