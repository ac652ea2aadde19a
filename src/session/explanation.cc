#include "session/explanation.h"

#include <fmt/format.h>

#include "plan/explain.h"
#include "session/run_report.h"

namespace pliant::session {
namespace {

/// What decided that no narrower plan ran.
std::string why_not_narrower(const SegmentPlans& segment, const PlanOptions& options) {
  const SegmentStatistics statistics = segment.statistics();
  if (statistics.entries.empty()) {
    return "  all sizes are fixed: there is no narrower plan\n";
  }
  std::string text = "  no narrower plan covers these sizes: ";
  text += options.compiling == Compiling::kSealed
              ? "the session is sealed and compiles no more\n"
              : fmt::format("a bucket of width {} is compiled after {} runs in it\n",
                            options.bucket_width, options.min_compile_iters);
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

/// "sizes batch 4, seq 128".
std::string sizes_of(std::span<const shapes::Entry> entries, shapes::Signature signature) {
  std::string text;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    text += fmt::format("{} {} {}", i == 0 ? "  sizes" : ",", entries[i].name, signature[i]);
  }
  return text.empty() ? text : text + '\n';
}

}  // namespace

Explanation::Explanation(const Program& program, const plan::Environment& environment,
                         const PlanOptions& options, Tier asked)
    : program_(program),
      environment_(environment),
      options_(options),
      asked_(asked),
      text_(fmt::format("CPU level {}, {} thread{}\n", name(environment.level),
                        environment.parallel.worker_count(),
                        environment.parallel.worker_count() == 1 ? "" : "s")) {}

void Explanation::planned(const SegmentPlans& segment, const cache::CachedPlan& plan,
                          const plan::RunArguments& arguments) {
  const plan::Plan& executed = *plan.plan();
  const std::string box = plan.box().to_string(executed.entries);
  text_ += fmt::format("segment {}: instructions {}..{}\n", segment.name(), executed.first,
                       executed.end - 1);
  text_ +=
      fmt::format("  tier {}, box {}, {} steps, {} bytes\n", tier_name(tier_of(plan.breadth())),
                  box.empty() ? "of one size" : box, executed.steps.size(), executed.byte_size());
  if (plan.breadth() == shapes::Breadth::kAnySize) {
    text_ +=
        asked_ == Tier::kAny ? "  this tier was asked for\n" : why_not_narrower(segment, options_);
  }
  if (executed.end_reason != plan::DeclineReason::kNone) {
    text_ += fmt::format("  ends before {}: {}\n", program_.describe(executed.end),
                         plan::to_string(executed.end_reason));
  }
  text_ += sizes_of(executed.entries, arguments.signature);
  text_ += plan::explain(executed, arguments, environment_);
}

void Explanation::passed_over(std::string_view segment, std::string_view reason) {
  text_ += fmt::format("segment {}: {}\n", segment, reason);
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
