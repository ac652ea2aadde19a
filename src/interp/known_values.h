#pragma once

#include "interp/prepared_program.h"
#include "semantics/inference_context.h"

namespace pliant::interp {

class Frame;

/// What the interpreter tells shape rules: everything, since all values exist.
class KnownValues final : public semantics::Knowledge {
 public:
  /// Longer integer tensors are not read for shapes.
  static constexpr std::int64_t kMaxElements = 1 << 16;
  /// Counts that one row's measuring pass may find.
  static constexpr std::size_t kMaxMeasured = 4;

  KnownValues(const PreparedProgram& program, const Frame& frame)
      : program_(program), frame_(frame) {}

  [[nodiscard]] semantics::TensorFacts tensor(const isa::Operand& operand) const override;
  [[nodiscard]] semantics::Extent size(const isa::Operand& operand) const override;
  [[nodiscard]] std::optional<semantics::ExtentList> integers(
      const isa::Operand& operand) const override;
  [[nodiscard]] std::optional<std::vector<double>> reals(
      const isa::Operand& operand) const override;
  [[nodiscard]] semantics::Extent unknown_extent() override;
  [[nodiscard]] semantics::Extent measured(int which) override;

 private:
  /// The view behind a register or constant, null for a single number.
  [[nodiscard]] const TensorView* view(const isa::Operand& operand) const;

  const PreparedProgram& program_;
  const Frame& frame_;
};

}  // namespace pliant::interp
