#include "session/exact_segment.h"

#include <utility>

#include "semantics/element_rules.h"
#include "tensor/dtype.h"
#include "tensor/element_values.h"

namespace pliant::session {

RunValues::RunValues(const Program& program, const interp::Execution& execution)
    : elements_(program.inputs.size()) {
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const TensorView& view = execution.input(static_cast<int>(i)).view;
    shapes_.push_back(view.shape);
    if (is_integer(view.dtype) && view.element_count() <= semantics::kMaxKnownElements) {
      for_each_integer(view, [&](std::int64_t value) { elements_[i].push_back(value); });
    }
  }
  for (std::size_t i = 0; i < program.symbols.size(); ++i) {
    symbols_.push_back(execution.symbol(static_cast<int>(i)));
  }
}

std::optional<std::int64_t> RunValues::of(const plan::EntryKey& entry) const {
  using Kind = plan::EntrySource::Kind;
  const auto input = static_cast<std::size_t>(entry.live_in.index);
  const auto position = static_cast<std::size_t>(entry.source.position);
  switch (entry.source.kind) {
    case Kind::kSymbol:
      return symbols_[static_cast<std::size_t>(entry.source.index)];
    case Kind::kAxis:
      return shapes_[input][position];
    case Kind::kElement:
      if (position < elements_[input].size()) {
        return elements_[input][position];
      }
      break;  // a tensor of another shape may have fewer
    case Kind::kSize:
      break;
  }
  return std::nullopt;
}

ExactSegment::ExactSegment(const plan::Stretch& stretch, plan::KnownRanks ranks,
                           const plan::CompileOptions& options, std::string name,
                           const Planning& planning)
    : stretch_(stretch),
      ranks_(std::move(ranks)),
      options_(options),
      name_(std::move(name)),
      planning_(planning) {}

SegmentPlans* ExactSegment::compile(plan::ValueOf value_of) {
  const std::lock_guard lock(compiling_);
  if (owned_ != nullptr || failures_ == kMaxFailures) {
    return owned_.get();
  }
  bool all_known = true;
  const auto note_unknown = [&](const plan::DecidingEntry& entry) {
    const std::optional<std::int64_t> value = value_of(entry);
    all_known = all_known && value.has_value();
    return value;
  };
  const std::vector<plan::ExactValue> values =
      plan::find_exact_values(stretch_, ranks_, note_unknown);
  plan::CompiledSegment compiled = plan::compile_segment(stretch_, ranks_, values, options_);
  if (values.empty() || compiled.graph.end_reason == plan::DeclineReason::kRuleError) {
    failures_ += all_known ? 1 : 0;  // who does not say all values says nothing of the segment
    return nullptr;
  }
  owned_ = std::make_unique<SegmentPlans>(
      std::move(compiled), name_, planning_,
      [this](const shapes::Box& box) { return compile_for_values(box); });
  plans_.store(owned_.get(), std::memory_order_release);
  return owned_.get();
}

plan::CompiledSegment ExactSegment::compile_for_values(const shapes::Box& box) const {
  const plan::Graph& graph = find()->segment().compiled().graph;
  return plan::compile_segment(stretch_, ranks_, plan::exact_values_in(box, graph), options_);
}

void ExactSegment::request(const interp::Execution& execution) {
  if (is_requested_.exchange(true, std::memory_order_relaxed)) {
    return;
  }
  const bool accepted =
      planning_.thread.submit([this, values = RunValues(stretch_.program, execution)] {
        const SegmentPlans* const made =
            compile([&](const plan::DecidingEntry& entry) { return values.of(entry.entry); });
        // Once there are plans nobody asks again; values that do not do say nothing of others.
        is_requested_.store(made != nullptr, std::memory_order_relaxed);
      });
  if (!accepted) {
    is_requested_.store(false, std::memory_order_relaxed);
  }
}

}  // namespace pliant::session
