#pragma once

#include "plan/plan.h"
#include "semantics/inference_context.h"

namespace pliant::plan {

/// What a run of a plan tells shape rules: everything, since all sizes are numbers.
class RunFacts final : public semantics::Knowledge {
 public:
  RunFacts(const Plan& plan, const std::vector<std::int64_t>& slots) : plan_(plan), slots_(slots) {}

  [[nodiscard]] semantics::TensorFacts tensor(const isa::Operand& operand) const override;
  [[nodiscard]] semantics::Extent size(const isa::Operand& operand) const override;
  [[nodiscard]] std::optional<semantics::ExtentList> integers(
      const isa::Operand& operand) const override;
  [[nodiscard]] std::optional<std::vector<double>> reals(
      const isa::Operand& operand) const override;
  [[nodiscard]] semantics::Extent unknown_extent() override;
  [[nodiscard]] semantics::Extent measured(int which) override;

 private:
  const Plan& plan_;
  const std::vector<std::int64_t>& slots_;
};

}  // namespace pliant::plan
