#include "session/plan_events.h"

namespace pliant::session {

const char* words_of(CompileOutcome outcome) {
  switch (outcome) {
    case CompileOutcome::kPublished:
      return "published";
    case CompileOutcome::kNoGain:
      return "no gain over the plan for any size";
    case CompileOutcome::kDeclined:
      return "declined";
    case CompileOutcome::kFailed:
      return "failed";
    case CompileOutcome::kQuarantined:
      return "quarantined";
  }
  return "";
}

LogEvent to_log(const CompileEvent& event) {
  const bool is_bad =
      event.outcome == CompileOutcome::kFailed || event.outcome == CompileOutcome::kQuarantined;
  return {is_bad ? LogEvent::Level::kWarning : LogEvent::Level::kInfo,
          "compile",
          {{"segment", event.segment},
           {"tier", tier_name(event.tier)},
           {"box", event.box},
           {"outcome", words_of(event.outcome)},
           {"reason", event.reason},
           {"microseconds", std::to_string(event.nanoseconds / 1000)}}};
}

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
