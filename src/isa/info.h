#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <pliant/dtype.h>

#include "isa/opcode.h"
#include "isa/operand.h"

namespace pliant::isa {

enum class InstructionClass : std::uint8_t { kControl, kSize, kData, kView, kCompute };

enum class OperandKind : std::uint8_t {
#define KIND(Name, doc) k##Name,
#include "isa/operand_kinds.def"
};

enum class TypeConstraint : std::uint8_t {
#define CONSTRAINT(Name, variable, set, words) k##Name,
#include "isa/type_constraints.def"
};

/// What an instruction does besides computing its results; a set of flags.
enum Effects : std::uint32_t {
  kPure = 1u << 0,            ///< same operands, same results: may be merged, folded, dropped
  kWritesOutput = 1u << 1,    ///< stores an output of the program
  kBranches = 1u << 2,        ///< has a label operand and may continue there
  kTerminates = 1u << 3,      ///< never continues with the next instruction
  kReadsShapeOnly = 1u << 4,  ///< looks at shapes, not at elements
  kReadsValues = 1u << 5,     ///< result sizes depend on elements of tensor operands
  kMeasures = 1u << 6,        ///< result sizes are found by a pass over the elements
  kChecksValues = 1u << 7,    ///< elements can be wrong (an index out of range)
  kElementwise = 1u << 8,     ///< each result element depends on one element of each operand
  kRandom = 1u << 9,          ///< never merged, never folded
};

/// How an operand that is not written gets its value.
struct Default {
  enum class Presence : std::uint8_t { kRequired, kNamed, kOptional };
  Presence presence = Presence::kRequired;
  Form form = Form::kAbsent;  ///< with kOptional: kAbsent, kNumber, kReal, kFlag or kChoice
  std::int64_t number = 0;
  double real = 0;
};

struct OperandInfo {
  std::string_view field;
  OperandKind kind;
  TypeConstraint constraint;
  ChoiceSet choices;  ///< for Choice and Choices
  Default default_value;
  std::string_view doc;

  /// Positional operands come first, in order; the others are written field=value.
  [[nodiscard]] constexpr bool is_positional() const {
    return default_value.presence == Default::Presence::kRequired;
  }
  [[nodiscard]] constexpr bool is_definition() const { return kind <= OperandKind::kSizeDef; }
};

struct InstructionInfo {
  Opcode opcode;
  std::string_view name;      ///< "MatMul"
  std::string_view mnemonic;  ///< "MATMUL"
  InstructionClass instruction_class;
  std::string_view rule;
  std::uint32_t effects;
  int since;
  std::string_view doc;
  std::span<const OperandInfo> operands;
};

/// All rows, in the order of instructions.def.
[[nodiscard]] std::span<const InstructionInfo> instructions();

/// Position of a row in instructions(), for tables with an entry per instruction; -1 for a code
/// that does not exist.
[[nodiscard]] int row_of(std::uint16_t code);
[[nodiscard]] inline int row_of(Opcode opcode) {
  return row_of(static_cast<std::uint16_t>(opcode));
}
[[nodiscard]] inline const InstructionInfo& info(Opcode opcode) {
  return instructions()[static_cast<std::size_t>(row_of(opcode))];
}
/// The row with this mnemonic, or null.
[[nodiscard]] const InstructionInfo* find_instruction(std::string_view mnemonic);
/// Position of the operand called `field`, or -1.
[[nodiscard]] int operand_index(const InstructionInfo& info, std::string_view field);

/// Words of a set in order; empty for kNone.
[[nodiscard]] std::span<const std::string_view> choice_words(ChoiceSet set);

struct TypeConstraintInfo {
  std::string_view name;
  char variable;  ///< 'T', 'U', 'V' or 0
  std::string_view set;
  std::string_view words;
};
[[nodiscard]] const TypeConstraintInfo& info(TypeConstraint constraint);
/// True when the constraint's set contains the type (always true for "x").
[[nodiscard]] bool allows(TypeConstraint constraint, DType dtype);

struct OperandKindInfo {
  std::string_view name;
  std::string_view doc;
};
[[nodiscard]] const OperandKindInfo& info(OperandKind kind);

}  // namespace pliant::isa
