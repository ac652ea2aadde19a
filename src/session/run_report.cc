#include "session/run_report.h"

namespace pliant::session {

Tier tier_of(shapes::Breadth breadth) {
  switch (breadth) {
    case shapes::Breadth::kExact:
      return Tier::kExact;
    case shapes::Breadth::kBucketed:
      return Tier::kBucketed;
    case shapes::Breadth::kAnySize:
      break;
  }
  return Tier::kAny;
}

void RunReport::planned(const SegmentPlans& segment, const cache::CachedPlan& plan,
                        const plan::RunArguments& /*arguments*/) {
  const plan::Plan& executed = *plan.plan();
  runs_.push_back({segment.name(), executed.first, executed.end, tier_of(plan.breadth()),
                   plan.box().to_string(executed.entries), ""});
}

void RunReport::interpreted(std::size_t first, std::size_t end, std::string_view reason) {
  // Instructions that no plan holds come one by one.
  if (!runs_.empty() && runs_.back().end == first && runs_.back().reason == reason) {
    runs_.back().end = end;
    return;
  }
  runs_.push_back({std::to_string(first), first, end, Tier::kInterpreter, "", std::string(reason)});
}

}  // namespace pliant::session
