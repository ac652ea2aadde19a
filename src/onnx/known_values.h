#pragma once

#include <vector>

#include "program/program.h"
#include "semantics/inference_context.h"

namespace pliant::onnx {

/// What the importer knows about the registers and constants of the program it writes: element
/// types always, shapes as far as the rules of semantics/ find them. Elements are known of
/// constants alone.
class KnownValues : public semantics::Knowledge {
  using Operand = isa::Operand;

 public:
  explicit KnownValues(const Program& program) : program_(program) {}

  /// Every later question about this register is answered with these facts.
  void set_tensor(std::int64_t register_index, const semantics::TensorFacts& facts);
  void set_size(std::int64_t register_index, semantics::Extent value);
  /// The extent of a declared input.
  [[nodiscard]] semantics::Extent extent(const InputExtent& declared);

  [[nodiscard]] semantics::TensorFacts tensor(const Operand& operand) const override;
  [[nodiscard]] semantics::Extent size(const Operand& operand) const override;
  [[nodiscard]] std::optional<semantics::ExtentList> integers(
      const Operand& operand) const override;
  [[nodiscard]] std::optional<std::vector<double>> reals(const Operand& operand) const override;
  [[nodiscard]] semantics::Extent unknown_extent() override;
  [[nodiscard]] semantics::Extent measured(int which) override;

 private:
  semantics::Extent symbol(std::size_t index);

  const Program& program_;
  semantics::ExpressionPool pool_;
  std::vector<semantics::TensorFacts> tensors_;  // by register
  std::vector<semantics::Extent> sizes_;         // by register
  std::vector<semantics::Extent> symbols_;       // by symbol
};

}  // namespace pliant::onnx
