#include "plan/compile.h"

#include "plan/emit.h"
#include "plan/mark_facts.h"
#include "plan/passes.h"

namespace pliant::plan {
namespace {

/// What both kinds of compiling do to every graph; each pass makes work for the others.
void simplify(Graph& graph, const CompileOptions& options) {
  forward_identities(graph);
  fold_constants(graph, options.level);
  merge_equal(graph);
  drop_dead(graph);
}

}  // namespace

CompiledSegment compile_segment(const Program& program, const RegisterUses& uses, std::size_t first,
                                std::size_t limit, const KnownRanks& ranks,
                                const CompileOptions& options) {
  Captured captured = capture(program, uses, first, limit, ranks);
  CompiledSegment segment{std::move(captured.graph), nullptr, captured.end_reason, options};
  if (segment.graph.end == first) {
    return segment;
  }
  simplify(segment.graph, options);
  if (options.rounding_fusions) {
    fuse_gelu(segment.graph);
    fuse_softmax(segment.graph);
    fuse_normalisation(segment.graph);
  }
  absorb_casts(segment.graph);
  if (options.rounding_fusions) {
    fuse_normalisation(segment.graph);  // scales and biases that stood behind casts
    fuse_attention(segment.graph);
  }
  trim_signature(segment.graph);
  mark_facts(segment.graph);
  segment.graph.lasting_constants = segment.graph.constants.size();
  Graph graph = segment.graph;
  group_elementwise(graph, options.level);
  join_rows(graph);
  shapes::Box any = shapes::any_box(graph.entries);
  segment.floor = emit(std::move(graph), std::move(any), options.level, segment.end_reason);
  return segment;
}

std::shared_ptr<const Plan> compile_for(const CompiledSegment& segment, const shapes::Box& box,
                                        DeclineReason& reason) {
  Graph graph = segment.graph;
  specialise(graph, box);
  simplify(graph, segment.options);
  group_elementwise(graph, segment.options.level);
  join_rows(graph);
  return emit(std::move(graph), box, segment.options.level, reason);
}

}  // namespace pliant::plan
