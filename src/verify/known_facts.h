#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "program/program.h"
#include "semantics/extent.h"
#include "semantics/inference_context.h"
#include "verify/facts.h"

namespace pliant::verify {

/// What the verifier tells shape rules: the declarations, small constants, and for each register the
/// facts of the moment. Input symbols are symbols of the expression pool; a result of unknown extent
/// gets a symbol per instruction, the same one each time the instruction is visited.
class KnownFacts final : public semantics::Knowledge {
 public:
  /// Longer constants are not looked into.
  static constexpr std::int64_t kMaxElements = 64;

  explicit KnownFacts(const Program& program);

  /// Facts of a register from now on; null when it may not have been written.
  void set(int slot, const Facts* facts) { now_[static_cast<std::size_t>(slot)] = facts; }
  [[nodiscard]] const Facts* get(int slot) const { return now_[static_cast<std::size_t>(slot)]; }

  /// Starts a visit of an instruction.
  void visit(std::size_t instruction);

  [[nodiscard]] semantics::Extent new_symbol(std::string name) {
    return pool_.new_symbol(std::move(name));
  }

  [[nodiscard]] semantics::TensorFacts tensor(const isa::Operand& operand) const override;
  [[nodiscard]] semantics::Extent size(const isa::Operand& operand) const override;
  [[nodiscard]] std::optional<semantics::ExtentList> integers(
      const isa::Operand& operand) const override;
  [[nodiscard]] std::optional<std::vector<double>> reals(
      const isa::Operand& operand) const override;
  [[nodiscard]] semantics::Extent unknown_extent() override;
  [[nodiscard]] semantics::Extent measured(int which) override;

 private:
  [[nodiscard]] bool is_tensor_register(const isa::Operand& operand) const;

  const Program& program_;
  semantics::ExpressionPool pool_;
  std::vector<semantics::Extent> symbols_;  ///< one per symbol of the program
  std::vector<const Facts*> now_;           ///< one per slot
  std::size_t instruction_ = 0;
  std::size_t unknown_count_ = 0;
  std::unordered_map<std::size_t, std::vector<semantics::Extent>> unknown_;
  std::unordered_map<std::size_t, std::vector<semantics::Extent>> measured_;
};

}  // namespace pliant::verify
