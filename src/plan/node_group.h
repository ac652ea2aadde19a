#pragma once

#include <optional>
#include <vector>

#include "bind/elementwise_group.h"
#include "plan/graph.h"

namespace pliant::plan {

/// How often each value is read, by nodes and as a live-out.
[[nodiscard]] std::vector<int> count_uses(const Graph& graph);

/// The elementwise instructions of a node, as a group that runs in one pass: all of them if the
/// first is elementwise too, else all but the first, whose result is then the group's first operand.
class NodeGroup {
 public:
  /// `uses` are those of count_uses(), to know which members' results are read by others.
  NodeGroup(const Graph& graph, const Node& node, const std::vector<int>& uses);

  [[nodiscard]] bool includes_first() const { return includes_first_; }
  /// What the group reads: values and extents of the graph, each once.
  [[nodiscard]] const std::vector<isa::Operand>& operands() const { return operands_; }
  /// Values that the group leaves behind.
  [[nodiscard]] const std::vector<int>& results() const { return results_; }

  /// Empty when the instructions cannot run as one group.
  [[nodiscard]] std::optional<bind::ElementwiseGroup> make(CpuLevel level) const;

 private:
  int position_of(const isa::Operand& operand);

  const Graph& graph_;
  bool includes_first_ = false;
  std::vector<isa::Operand> operands_;
  std::vector<bind::ElementwiseGroup::Member> members_;
  std::vector<int> member_values_;  ///< result of each member
  std::vector<int> result_members_;
  std::vector<int> results_;
};

}  // namespace pliant::plan
