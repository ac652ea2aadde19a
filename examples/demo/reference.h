#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "encoder.h"

namespace demo {

/// The encoder computed the obvious way: loops over doubles, written from its definition and
/// sharing no code with Pliant. One sequence; returns [length, hidden] in row-major order.
///
/// Costs about EncoderSizes::flops(length) at some 2e9 per second and core.
[[nodiscard]] std::vector<double> reference_encoder(const EncoderSizes& sizes,
                                                    std::span<const std::int64_t> tokens);

}  // namespace demo
