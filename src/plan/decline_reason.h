#pragma once

#include <cstdint>
#include <string_view>

namespace pliant::plan {

/// Why an instruction, or a run, is not carried out by a plan. The interpreter does it then, and the
/// session counts the reason.
enum class DeclineReason : std::uint8_t {
#define DECLINE_REASON(Name, text) k##Name,
#include "plan/decline_reasons.def"
};

inline constexpr int kDeclineReasonCount = 0
#define DECLINE_REASON(...) +1
#include "plan/decline_reasons.def"
    ;

/// The words that statistics and explain() print.
[[nodiscard]] std::string_view to_string(DeclineReason reason);

}  // namespace pliant::plan
