#include "plan/decline_reason.h"

namespace pliant::plan {

std::string_view to_string(DeclineReason reason) {
  static constexpr std::string_view kTexts[] = {
#define DECLINE_REASON(Name, text) text,
#include "plan/decline_reasons.def"
  };
  return kTexts[static_cast<int>(reason)];
}

}  // namespace pliant::plan
