#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "isa/info.h"
#include "isa/operand.h"
#include "semantics/extent.h"
#include "semantics/tensor_facts.h"

namespace pliant::semantics {

/// Extents, bounds or other whole numbers given by one operand.
using ExtentList = std::vector<Extent>;

/// What the one who asks for shapes knows: the interpreter everything, the verifier and the importer
/// a part.
class Knowledge {
 public:
  virtual ~Knowledge() = default;
  /// Facts of a tensor operand in canonical form (register, constant, or a size as a 0-d i64
  /// tensor).
  [[nodiscard]] virtual TensorFacts tensor(const isa::Operand& operand) const = 0;
  /// Value of a number, symbol or size register.
  [[nodiscard]] virtual Extent size(const isa::Operand& operand) const = 0;
  /// Elements of an integer tensor in row-major order, or the value of a size register as a list of
  /// one; empty when not known (element values may be symbolic).
  [[nodiscard]] virtual std::optional<ExtentList> integers(const isa::Operand& operand) const = 0;
  /// Elements of a float tensor (f32 widened), or empty when not known.
  [[nodiscard]] virtual std::optional<std::vector<double>> reals(
      const isa::Operand& operand) const = 0;
  /// An extent about which nothing is known but that it is >= 0. Never called by the interpreter's
  /// path unless a rule could not use measured().
  [[nodiscard]] virtual Extent unknown_extent() = 0;
  /// Results of the row's measuring pass (rows with kMeasures): what it counted, in the order that
  /// bind::Operator::measure writes; a fresh unknown extent when it has not run.
  [[nodiscard]] virtual Extent measured(int which) = 0;
  /// Two extents that must be equal but of which that is not known yet. The interpreter never gets
  /// here.
  virtual void note_equal(Extent, Extent) {}
  /// A number that is taken for an extent, although where it is 0 or negative it would mean another
  /// one; of that nothing is known yet. The interpreter never gets here.
  virtual void note_taken_for_extent(Extent) {}
};

/// The question "what do this instruction's results look like?", asked of a rule in rules.h.
///
/// Element types need no rule: the instruction table says them, and the context checks and fills
/// them in before the rule runs. A rule checks ranks and extents and sets every result's shape.
/// Messages name both values; the place is added by the caller.
class InferenceContext {
 public:
  InferenceContext(const isa::Instruction& instruction, Knowledge& knowledge);

  /// Forgets everything and asks about another instruction; memory is kept for it.
  void reset(const isa::Instruction& instruction);

  /// Checks element types against the table, then asks the row's rule. An error has no place yet.
  Status infer();

  // ---- for rules ----
  [[nodiscard]] const isa::Instruction& instruction() const { return *instruction_; }
  [[nodiscard]] const isa::InstructionInfo& row() const { return *row_; }
  [[nodiscard]] std::string_view mnemonic() const { return row_->mnemonic; }
  [[nodiscard]] const isa::Operand& operand(int index) const;
  [[nodiscard]] bool given(int operand_index) const { return operand(operand_index).given(); }

  [[nodiscard]] const TensorFacts& tensor(int operand_index) const;
  [[nodiscard]] std::span<const TensorFacts> tensors(int operand_index) const;  ///< TensorUses
  /// Facts of all given tensor operands, in order (for rules shared by rows of different arity).
  [[nodiscard]] std::span<const TensorFacts> all_tensors() const { return facts_; }

  [[nodiscard]] std::int64_t integer(int operand_index) const {
    return operand(operand_index).number;
  }
  [[nodiscard]] double real(int operand_index) const { return operand(operand_index).real; }
  [[nodiscard]] bool flag(int operand_index) const { return operand(operand_index).number != 0; }
  template <class Set>
  [[nodiscard]] Set choice(int operand_index) const {
    return static_cast<Set>(operand(operand_index).number);
  }
  [[nodiscard]] std::vector<std::int64_t> integers(int operand_index) const;  ///< Integers
  [[nodiscard]] DType type(int operand_index) const {
    return static_cast<DType>(operand(operand_index).number);
  }

  /// Sizes: empty when the operand is a tensor whose elements are not known.
  [[nodiscard]] std::optional<ExtentList> sizes(int operand_index) const;
  /// Sizes given as a tensor of unknown elements: how many there are, if that is known.
  [[nodiscard]] std::optional<std::int64_t> size_count(int operand_index) const;
  /// Size: empty when it is a tensor whose element is not known.
  [[nodiscard]] std::optional<Extent> size(int operand_index) const;
  /// Numbers: empty when not known.
  [[nodiscard]] std::optional<std::vector<double>> numbers(int operand_index) const;
  /// All elements of an integer tensor operand (the register of a TensorElement), if known.
  [[nodiscard]] std::optional<ExtentList> elements(int operand_index) const;
  /// The same for one tensor of a TensorUses operand.
  [[nodiscard]] std::optional<ExtentList> part_elements(int operand_index, int part) const;
  /// The single element of a tensor operand, if known.
  [[nodiscard]] std::optional<Extent> integer_value(int operand_index) const;
  [[nodiscard]] std::optional<double> real_value(int operand_index) const;

  [[nodiscard]] Extent unknown_extent() { return knowledge_.unknown_extent(); }
  [[nodiscard]] Extent measured(int which) { return knowledge_.measured(which); }
  void note_taken_for_extent(Extent extent) { knowledge_.note_taken_for_extent(extent); }

  /// Error unless a and b are equal; `what` names them: "lhs axis 1" and "rhs axis 0".
  Status require_equal(Extent a, Extent b, std::string_view what_a, std::string_view what_b);
  /// The result extent of broadcasting a with b, or an error that names both.
  Result<Extent> require_broadcast(Extent a, Extent b);
  /// Broadcasts two shapes of known rank.
  Result<ExtentShape> broadcast_shapes(const ExtentShape& a, const ExtentShape& b);
  /// axis in 0..rank-1 from one in -rank..rank-1, or an error that names both.
  Result<int> normalise_axis(std::int64_t axis, std::size_t rank) const;
  Result<int> normalise_axis(Extent axis, std::size_t rank) const;
  [[nodiscard]] Error error(
      std::string message) const;  ///< kShapeMismatch, "MATMUL: " before the message

  /// Sets a result. Refuses extents that are negative or overflowed.
  Status set(int operand_index, const ExtentShape& shape);
  Status set_part(int operand_index, int part, const ExtentShape& shape);  ///< TensorDefs
  /// A result of which only the rank, or not even that, is known.
  void set_rank(int operand_index, std::size_t rank);
  void set_unknown(int operand_index);
  /// A size result.
  Status set_size(int operand_index, Extent value);
  /// For results of type Any (LOAD_TENSOR, LOAD_CONST, MOVE_REG).
  void set_type(int operand_index, DType dtype);

  // ---- for the one who asked ----
  [[nodiscard]] const TensorFacts& result(int operand_index, int part = 0) const;
  [[nodiscard]] Extent size_result() const { return size_result_; }

 private:
  struct Slot {  // where an operand's facts are in facts_ or results_
    int first = -1;
    int count = 0;
  };
  Status check_types();
  Slot slot(int operand_index) const;

  const isa::Instruction* instruction_;
  const isa::InstructionInfo* row_;
  Knowledge& knowledge_;
  InlineVector<Slot, 24> slots_;
  std::vector<TensorFacts> facts_;
  std::vector<TensorFacts> results_;
  Extent size_result_;
};

}  // namespace pliant::semantics
