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

}  // namespace

Result<MemoryEstimate> estimate(PlannedProgram& planned, std::span<const NamedSize> sizes) {
  PLIANT_ASSIGN_OR_RETURN(const NamedSignature named, find_signature(planned, sizes));
  if (named.segment->is_exact()) {
    return make_error(ErrorCode::kUnsupported,
                      "values of inputs decide what this model computes: its memory is known only "
                      "when it runs");
  }
  const plan::CompiledSegment& compiled = named.segment->segment().compiled();
  if (compiled.graph.end < planned.program().instructions.size()) {
    Error error = make_error(ErrorCode::kUnsupported,
                             "the memory of what follows is known only when it runs: {}",
                             plan::to_string(compiled.graph.end_reason));
    error.where = planned.program().describe(compiled.graph.end);
    return error;
  }
  PLIANT_ASSIGN_OR_RETURN(const std::vector<Shape> shapes,
                          shapes_of(compiled.graph, named.signature));
  const std::vector<TensorView> live_ins = live_in_views(compiled.graph, shapes);
  plan::Scratchpad scratchpad;
  plan::BoundRun run;
  PLIANT_ASSIGN_OR_RETURN(const SegmentPlans::CachedPlan plan,
                          named.segment->demand(Tier::kAny, named.signature));
  const plan::DeclineReason reason = plan::lay_out(*plan->plan(), named.signature, live_ins,
                                                   planned.environment(), scratchpad, run);
  if (reason == plan::DeclineReason::kNoMemory) {
    return make_error(ErrorCode::kResourceExhausted,
                      "these sizes make a tensor that no memory can hold");
  }
  if (reason != plan::DeclineReason::kNone) {
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
