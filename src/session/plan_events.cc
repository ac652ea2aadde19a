#include "session/plan_events.h"

namespace pliant::session {

LogEvent breaker_event(const std::string& segment, const shapes::BreakerChange& change,
                       const std::string& axis, const std::string& advice) {
  const bool opened = change.to == shapes::BreakerState::kOpen;
  return {opened ? LogEvent::Level::kWarning : LogEvent::Level::kInfo,
          "breaker",
          {{"segment", segment},
           {"from", shapes::breaker_state_name(change.from)},
           {"to", shapes::breaker_state_name(change.to)},
           {"new_boxes", std::to_string(change.recent)},
           {"axis", axis},
           {"advice", opened ? advice : ""}}};
}

}  // namespace pliant::session
