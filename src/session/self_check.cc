#include "session/self_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "plan/run.h"
#include "session/outer_registers.h"
#include "session/reproducer.h"
#include "session/same_values.h"
#include "session/segment_sizes.h"

namespace pliant::session {
namespace {

constexpr double kMaxCost = 1e9;         // operations of one point
constexpr std::uint64_t kRunNumber = 0;  // both tiers draw the same random numbers

using plan::LiveIn;
using plan::LiveOut;

/// Whether the segment can be interpreted alone: nothing that instructions read has been found
/// superfluous by the compiler, which then cannot say what it is like.
bool can_be_entered(const plan::Graph& graph) {
  const std::vector<int> outer = outer_registers(*graph.program, graph.first, graph.end);
  return std::all_of(outer.begin(), outer.end(), [&](int index) {
    return std::any_of(graph.live_ins.begin(), graph.live_ins.end(), [&](const LiveIn& live_in) {
      return live_in.kind == LiveIn::Kind::kRegister && live_in.index == index;
    });
  });
}

Status interpret(const Segment& segment, interp::Execution& execution) {
  while (execution.next() < segment.end()) {
    PLIANT_RETURN_IF_ERROR(execution.step());
  }
  return {};
}

/// What a plan left behind beside what the interpreter did.
std::string compare_results(const plan::Plan& plan, const plan::RunResults& results,
                            const interp::Execution& execution, Nearness nearness) {
  for (std::size_t i = 0; i < plan.live_outs.size(); ++i) {
    const LiveOut& out = plan.live_outs[i];
    if (out.kind == LiveOut::Kind::kSizeRegister) {
      if (results.sizes[i] != execution.size(out.index)) {
        return fmt::format("size register r{} is {} where {} was expected", out.index,
                           results.sizes[i], execution.size(out.index));
      }
      continue;
    }
    const bool is_output = out.kind == LiveOut::Kind::kProgramOutput;
    const StoredTensor& expected =
        is_output ? execution.output(out.index) : execution.tensor(out.index);
    if (expected.storage == nullptr) {
      continue;  // the interpreter has let go of what nobody reads
    }
    const std::string words = difference(results.tensors[i].view, expected.view, nearness);
    if (!words.empty()) {
      return is_output ? fmt::format(
                             "output '{}': {}",
                             plan.program->outputs[static_cast<std::size_t>(out.index)].name, words)
                       : fmt::format("register r{}: {}", out.index, words);
    }
  }
  return {};
}

std::int64_t between(std::int64_t low, std::int64_t high) {
  return low + (high - low) / 2;
}

}  // namespace

std::vector<std::vector<std::int64_t>> check_points(const plan::Plan& plan, shapes::Signature seen,
                                                    shapes::Signature highest) {
  constexpr std::int64_t kSomeExtent = 3;
  std::vector<std::int64_t> low;
  std::vector<std::int64_t> high;
  std::vector<std::int64_t> middle;
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    const shapes::Interval& interval = plan.box.intervals[i];
    const std::int64_t example =
        seen.empty() ? std::clamp(kSomeExtent, interval.low, interval.high) : seen[i];
    if (plan.entries[i].kind == shapes::Entry::Kind::kElement) {
      low.push_back(example);
      high.push_back(example);
      middle.push_back(example);
      continue;
    }
    low.push_back(std::max<std::int64_t>(interval.low, 0));
    high.push_back(highest.empty() ? example : highest[i]);
    middle.push_back(between(low.back(), high.back()));
  }
  std::vector<std::vector<std::int64_t>> points{std::move(low)};
  for (std::vector<std::int64_t>* const point : {&high, &middle}) {
    if (std::find(points.begin(), points.end(), *point) == points.end()) {
      points.push_back(std::move(*point));
    }
  }
  return points;
}

SelfCheck::Verdict SelfCheck::check(const Segment& segment, const plan::Plan& plan,
                                    shapes::Signature seen, shapes::Signature highest) const {
  Verdict verdict;
  const plan::Graph& graph = segment.compiled().graph;
  const std::vector<std::vector<std::int64_t>> points = check_points(plan, seen, highest);
  if (!can_be_entered(graph)) {
    verdict.skipped = static_cast<int>(points.size());
    return verdict;
  }
  plan::Workspace workspace;
  for (const std::vector<std::int64_t>& point : points) {
    const std::optional<double> cost = SegmentSizes(graph, point).cost();
    const std::optional<CheckInputs> inputs =
        cost && *cost <= kMaxCost ? make_check_inputs(segment, point, ranges_, environment_.pool)
                                  : std::nullopt;
    if (!inputs) {
      ++verdict.skipped;
      continue;
    }
    bool was_skipped = false;
    verdict.difference = compare(segment, plan, *inputs, workspace, was_skipped);
    if (!verdict.difference.empty()) {
      if (!reproducer_folder_.empty()) {
        const auto written =
            write_reproducer(reproducer_folder_, segment, plan, *inputs, verdict.difference);
        verdict.reproducer = written ? *written : written.error().to_string();
      }
      return verdict;
    }
    ++(was_skipped ? verdict.skipped : verdict.agreeing);
  }
  return verdict;
}

std::string SelfCheck::compare(const Segment& segment, const plan::Plan& plan,
                               const CheckInputs& inputs, plan::Workspace& workspace,
                               bool& was_skipped) const {
  interp::Execution execution = interpreter_.begin({inputs.inputs, inputs.symbols, kRunNumber});
  enter_segment(segment, inputs, execution);
  const Status status = interpret(segment, execution);

  if (workspace.arena() != nullptr) {  // what the point before left there is no answer
    std::memset(workspace.arena(), 0xff, workspace.arena_bytes());
  }
  plan::RunResults results;
  const plan::DeclineReason reason = plan::run(
      plan, {inputs.signature, inputs.live_ins, kRunNumber}, environment_, workspace, results);
  if (reason != plan::DeclineReason::kNone) {
    // The interpreter takes such runs: nothing wrong can come of it.
    was_skipped = true;
    return {};
  }
  if (!status) {
    // Registers behind the first segment may hold what their makers never would have put there.
    was_skipped = segment.compiled().graph.first > 0;
    return was_skipped
               ? std::string{}
               : "the interpreter refuses what the plan computes: " + status.error().message;
  }
  const Nearness nearness =
      segment.compiled().options.rounding_fusions ? Nearness::kRounded : Nearness::kBits;
  return compare_results(plan, results, execution, nearness);
}

}  // namespace pliant::session
