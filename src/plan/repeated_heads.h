#pragma once

#include <optional>

#include "plan/pattern.h"

namespace pliant::plan {

/// The x of RESHAPE(BROADCAST_TO(UNSQUEEZE(x, 2))) from [batch, heads, tokens, width] to
/// [batch, heads * times, tokens, width]: each head is repeated so often. Empty for anything else.
[[nodiscard]] std::optional<isa::Operand> unrepeated_heads(Pattern& pattern,
                                                           const isa::Operand& repeated);

}  // namespace pliant::plan
