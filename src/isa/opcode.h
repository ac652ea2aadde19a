#pragma once

#include <cstdint>

namespace pliant::isa {

/// One per row of instructions.def; the values are the codes that bytecode stores.
enum class Opcode : std::uint16_t {
#define INSTRUCTION(Name, mnemonic, code, ...) k##Name = code,
#include "isa/instructions.def"
};

inline constexpr int kOpcodeCount = 0
#define INSTRUCTION(...) +1
#include "isa/instructions.def"
    ;

// Positions of the operands of each instruction: isa::MatMul::lhs.
#define INSTRUCTION(Name, ...)                         \
  struct Name {                                        \
    static constexpr Opcode kOpcode = Opcode::k##Name; \
    enum Field : int {
#define OPERAND(Name, field, ...) field,
#define END_INSTRUCTION(Name) \
  kOperandCount               \
  }                           \
  ;                           \
  }                           \
  ;
#include "isa/instructions.def"

// Sets of named alternatives: isa::PadMode::kReflect.
#define CHOICE_SET(Set) enum class Set : std::uint8_t {
#define CHOICE(Set, Name, word) k##Name,
#define END_CHOICE_SET(Set) \
  }                         \
  ;
#include "isa/choices.def"

/// Names the sets themselves.
enum class ChoiceSet : std::uint8_t {
  kNone,
#define CHOICE_SET(Set) k##Set,
#include "isa/choices.def"
};

}  // namespace pliant::isa
