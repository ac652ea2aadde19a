#include "plan/compile.h"

#include <unordered_set>
#include <utility>

#include "plan/emit.h"
#include "plan/exact_values.h"
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

/// Which constants live as long as the program: its own and views of them; of a graph that stays, all.
/// A graph for single values goes with its plan.
std::vector<bool> find_lasting(const Graph& graph, std::span<const ExactValue> exact) {
  std::vector<bool> lasting(graph.constants.size(), exact.empty());
  std::unordered_set<const Storage*> of_program;
  for (const Constant& constant : graph.program->constants) {
    of_program.insert(constant.value.storage.get());
  }
  for (std::size_t i = 0; i < lasting.size(); ++i) {
    lasting[i] = lasting[i] || of_program.contains(graph.constants[i].storage.get());
  }
  return lasting;
}

/// What is common to plans for all boxes.
std::shared_ptr<const Plan> finish(Graph graph, const shapes::Box& box,
                                   const CompileOptions& options, DeclineReason& reason) {
  group_elementwise(graph, options.level);
  join_rows(graph);
  return emit(std::move(graph), box, options.level, reason);
}

}  // namespace

CompiledSegment compile_segment(const Stretch& stretch, const KnownRanks& ranks,
                                std::span<const ExactValue> exact, const CompileOptions& options) {
  CompiledSegment segment{capture(stretch, ranks, exact).graph, {}, options};
  if (segment.graph.end == stretch.first) {
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
  segment.graph.lasting_constants = find_lasting(segment.graph, exact);
  segment.any_size = any_size_box(segment.graph, exact);
  return segment;
}

std::shared_ptr<const Plan> compile_any_size(const CompiledSegment& segment,
                                             DeclineReason& reason) {
  return finish(segment.graph, segment.any_size, segment.options, reason);
}

std::shared_ptr<const Plan> compile_for(const CompiledSegment& segment, const shapes::Box& box,
                                        DeclineReason& reason) {
  Graph graph = segment.graph;
  specialise(graph, box);
  simplify(graph, segment.options);
  return finish(std::move(graph), box, segment.options, reason);
}

}  // namespace pliant::plan
