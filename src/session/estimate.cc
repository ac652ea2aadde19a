#include "session/estimate.h"

#include <limits>
#include <optional>
#include <vector>

#include "base/checked_math.h"
#include "base/result.h"
#include "plan/lay_out.h"
#include "session/named_signature.h"
#include "session/segment_sizes.h"
#include "tensor/dtype.h"

namespace pliant::session {
namespace {

using plan::Value;

/// Nothing on this processor addresses more.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 47;

/// The shape of every value, or an error if one could not exist: laying out does arithmetic on them.
Result<std::vector<Shape>> shapes_of(const plan::Graph& graph, shapes::Signature signature) {
  const SegmentSizes sizes(graph, signature);
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    const std::optional<Shape> shape = sizes.shape(static_cast<int>(i));
    const DType dtype = graph.values[i].facts.dtype;
    const auto bytes =
        shape ? checked_multiply(element_count(*shape), static_cast<std::int64_t>(byte_size(dtype)))
              : std::nullopt;
    if (!bytes || *bytes > kMostBytes) {
      return make_error(ErrorCode::kResourceExhausted,
                        "these sizes make a tensor that no memory can hold: {}{}", name(dtype),
                        shape ? to_string(*shape) : "");
    }
    shapes.push_back(*shape);
  }
  return shapes;
}

/// The live-ins as they would be, without memory. One that nobody reads may be anything.
std::vector<TensorView> live_in_views(const plan::Graph& graph, const std::vector<Shape>& shapes) {
  std::vector<TensorView> views(graph.live_ins.size(), contiguous_view(nullptr, DType::kF32, {}));
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    const Value& value = graph.values[i];
    if (value.kind == Value::Kind::kLiveIn && value.index >= 0) {
      views[static_cast<std::size_t>(value.index)] =
          contiguous_view(nullptr, value.facts.dtype, shapes[i]);
    }
  }
  return views;
}

/// A segment that is the whole program for the sizes that a caller has named.
struct NamedSegment {
  std::shared_ptr<const plan::CompiledSegment> compiled;
  std::vector<std::int64_t> signature;
  std::shared_ptr<const plan::Plan> floor;  ///< null: none is kept
};

Error at(const Program& program, std::size_t instruction, Error error) {
  error.where = program.describe(instruction);
  return error;
}

/// The segment that the named values of inputs make, where values decide.
Result<std::shared_ptr<const plan::CompiledSegment>> capture(const Program& program,
                                                             const SegmentVariant& variant,
                                                             NamedValues& values) {
  std::optional<plan::CompiledSegment> captured =
      variant.exact->capture([&](const plan::DecidingEntry& entry) { return values.of(entry); });
  const plan::Graph& graph = captured ? captured->graph : variant.plans->segment().compiled().graph;
  if (!values.missing().empty() && graph.end_reason == plan::DeclineReason::kExactValue) {
    return at(program, graph.end,
              make_error(ErrorCode::kInvalidArgument,
                         "the memory of what follows depends on values that are missing: {}",
                         quoted_list(values.missing())));
  }
  if (!captured) {
    return at(program, graph.end,
              make_error(ErrorCode::kUnsupported, "no plan is possible for the values of {}",
                         quoted_list(values.asked())));
  }
  return std::make_shared<const plan::CompiledSegment>(std::move(*captured));
}

/// The first variant that can be planned: the program from its beginning.
Result<NamedSegment> named_segment(PlannedProgram& planned, std::span<const NamedSize> sizes) {
  const SegmentVariant* first = nullptr;
  if (!planned.program().instructions.empty()) {
    for (const SegmentVariant* const variant : planned.start_at(0).variants()) {
      const bool is_usable = variant->exact != nullptr || variant->plans->can_be_planned();
      first = first == nullptr && is_usable ? variant : first;
    }
  }
  if (first == nullptr) {
    return make_error(ErrorCode::kUnsupported,
                      "no part of this model has sizes that are known before a run");
  }
  NamedValues values(sizes);
  NamedSegment named;
  if (first->exact != nullptr) {
    PLIANT_ASSIGN_OR_RETURN(named.compiled, capture(planned.program(), *first, values));
  } else {
    // Owned by the program, as is its floor.
    named.compiled = {std::shared_ptr<const void>(), &first->plans->segment().compiled()};
    const SegmentPlans::CachedPlan floor = first->plans->floor();
    named.floor = floor == nullptr ? nullptr : floor->plan();
  }
  PLIANT_ASSIGN_OR_RETURN(named.signature,
                          signature_of(named.compiled->graph.entries, sizes, values.asked()));
  return named;
}

}  // namespace

Result<MemoryEstimate> estimate(PlannedProgram& planned, std::span<const NamedSize> sizes) {
  PLIANT_ASSIGN_OR_RETURN(const NamedSegment named, named_segment(planned, sizes));
  const plan::Graph& graph = named.compiled->graph;
  if (graph.end < planned.program().instructions.size()) {
    return at(planned.program(), graph.end,
              make_error(ErrorCode::kUnsupported,
                         "the memory of what follows is known only when it runs: {}",
                         plan::to_string(graph.end_reason)));
  }
  PLIANT_ASSIGN_OR_RETURN(const std::vector<Shape> shapes, shapes_of(graph, named.signature));
  const std::vector<TensorView> live_ins = live_in_views(graph, shapes);
  plan::DeclineReason reason = plan::DeclineReason::kNone;
  const std::shared_ptr<const plan::Plan> plan =
      named.floor != nullptr ? named.floor : plan::compile_any_size(*named.compiled, reason);
  plan::Scratchpad scratchpad;
  plan::BoundRun run;
  if (plan != nullptr) {
    reason =
        plan::lay_out(*plan, named.signature, live_ins, planned.environment(), scratchpad, run);
  }
  if (reason == plan::DeclineReason::kNoMemory) {
    return make_error(ErrorCode::kResourceExhausted,
                      "these sizes make a tensor that no memory can hold");
  }
  if (plan == nullptr || reason != plan::DeclineReason::kNone) {
    return make_error(ErrorCode::kUnsupported, "no plan can serve these sizes: {}",
                      plan::to_string(reason));
  }
  MemoryEstimate estimate;
  estimate.arena_bytes = run.arena_bytes;
  for (const TensorView& view : live_ins) {
    estimate.input_bytes += static_cast<std::size_t>(view.element_count()) * byte_size(view.dtype);
  }
  for (const plan::Buffer& buffer : run.buffers) {
    if (buffer.kind == plan::Buffer::Kind::kLiveOut) {
      estimate.output_bytes += buffer.bytes;
    }
  }
  return estimate;
}

}  // namespace pliant::session
