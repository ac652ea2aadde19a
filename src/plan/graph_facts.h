#pragma once

#include "plan/graph.h"
#include "semantics/inference_context.h"

namespace pliant::plan {

/// What the plan compiler tells shape rules: the facts of a graph's values, which are expressions of
/// the segment's entries.
class GraphFacts final : public semantics::Knowledge {
 public:
  /// Longer constants are not looked into.
  static constexpr std::int64_t kMaxElements = 64;

  explicit GraphFacts(const Graph& graph) : graph_(graph) {}

  /// True once a rule could not say an extent; nothing that it set is of use then.
  [[nodiscard]] bool asked_for_unknown() const { return asked_for_unknown_; }

  /// What a rule took for extents although it may be -1 or 0, which mean something else.
  [[nodiscard]] const semantics::ExtentList& taken_for_extents() const {
    return taken_for_extents_;
  }

  [[nodiscard]] semantics::TensorFacts tensor(const isa::Operand& operand) const override;
  [[nodiscard]] semantics::Extent size(const isa::Operand& operand) const override;
  [[nodiscard]] std::optional<semantics::ExtentList> integers(
      const isa::Operand& operand) const override;
  [[nodiscard]] std::optional<std::vector<double>> reals(
      const isa::Operand& operand) const override;
  [[nodiscard]] semantics::Extent unknown_extent() override;
  [[nodiscard]] semantics::Extent measured(int which) override;
  void note_taken_for_extent(semantics::Extent extent) override {
    taken_for_extents_.push_back(extent);
  }

 private:
  const Graph& graph_;
  bool asked_for_unknown_ = false;
  semantics::ExtentList taken_for_extents_;
};

/// Elements of a small integer constant.
[[nodiscard]] std::optional<semantics::ExtentList> constant_elements(const TensorView& view);

}  // namespace pliant::plan
