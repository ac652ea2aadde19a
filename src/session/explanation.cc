#include "session/explanation.h"

#include <fmt/format.h>

#include "plan/printer.h"
#include "session/run_report.h"

namespace pliant::session {
namespace {

/// What decided that no narrower plan ran.
std::string why_not_narrower(const SegmentPlans& segment) {
  const SegmentStatistics statistics = segment.statistics();
  std::string text;
  if (statistics.counters.no_gain > 0) {
    text += fmt::format("  {} narrower {} dropped: the same steps as the plan for any size\n",
                        statistics.counters.no_gain,
                        statistics.counters.no_gain == 1 ? "plan was" : "plans were");
  }
  if (statistics.breaker != "closed") {
    text += fmt::format("  compiling pauses: the breaker is {}\n", statistics.breaker);
  }
  return text;
}

}  // namespace

void Explanation::planned(const SegmentPlans& segment, const cache::CachedPlan& plan) {
  const plan::CompiledSegment& compiled = segment.segment().compiled();
  const plan::Graph& graph = compiled.graph;
  const std::string box = plan.box().to_string(graph.entries);
  text_ +=
      fmt::format("segment {}: instructions {}..{}\n", segment.name(), graph.first, graph.end - 1);
  text_ += fmt::format("  tier {}, box {}, {} steps, {} bytes\n",
                       tier_name(tier_of(plan.breadth())), box.empty() ? "of one size" : box,
                       plan.plan()->steps.size(), plan.plan()->byte_size());
  if (plan.breadth() == shapes::Breadth::kAnySize) {
    text_ += why_not_narrower(segment);
  }
  if (compiled.end_reason != plan::DeclineReason::kNone) {
    text_ += fmt::format("  ends before {}: {}\n", program_.describe(graph.end),
                         plan::to_string(compiled.end_reason));
  }
  text_ += plan::print(*plan.plan());
}

void Explanation::interpreted(std::size_t first, std::size_t end, std::string_view reason) {
  if (end == first + 1) {
    text_ += fmt::format("instruction {} at {}: interpreter, {}\n", first, program_.describe(first),
                         reason);
    return;
  }
  text_ +=
      fmt::format("instructions {}..{}: interpreter, {}\n", first, end == 0 ? 0 : end - 1, reason);
}

}  // namespace pliant::session
