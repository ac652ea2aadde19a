#include "isa/info.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/check.h"
#include "tensor/dtype.h"

namespace pliant::isa {
namespace {

// The words that instructions.def uses in its Default column, spelled as the table's other words.
// NOLINTBEGIN(readability-identifier-naming)
constexpr Default Required{};
constexpr Default Named{Default::Presence::kNamed, Form::kAbsent, 0, 0};
constexpr Default Absent{Default::Presence::kOptional, Form::kAbsent, 0, 0};
constexpr Default Integer(std::int64_t value) {
  return {Default::Presence::kOptional, Form::kNumber, value, 0};
}
constexpr Default Number(std::int64_t value) {
  return Integer(value);
}
constexpr Default Real(double value) {
  return {Default::Presence::kOptional, Form::kReal, 0, value};
}
constexpr Default Flag(bool value) {
  return {Default::Presence::kOptional, Form::kFlag, value ? 1 : 0, 0};
}
template <class Set>
constexpr Default ChoiceOf(Set value) {
  return {Default::Presence::kOptional, Form::kChoice, static_cast<std::int64_t>(value), 0};
}
// NOLINTEND(readability-identifier-naming)

// The Constraint column holds a type constraint or, for choices, a set; each is looked up where it
// exists and None elsewhere.
constexpr std::array kConstraintNames = {
#define CONSTRAINT(Name, ...) std::string_view{#Name},
#include "isa/type_constraints.def"
};
constexpr std::array kChoiceSetNames = {
    std::string_view{"None"},
#define CHOICE_SET(Set) std::string_view{#Set},
#include "isa/choices.def"
};
template <std::size_t N>
constexpr int position(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) {
      return static_cast<int>(i);
    }
  }
  return -1;
}
consteval TypeConstraint constraint_of(OperandKind kind, std::string_view name) {
  const bool choice = kind == OperandKind::kChoice || kind == OperandKind::kChoices;
  const int index = choice ? 0 : position(kConstraintNames, name);
  if (index < 0) {
    throw "instructions.def names a type constraint that does not exist";
  }
  return static_cast<TypeConstraint>(index);
}
consteval ChoiceSet choices_of(OperandKind kind, std::string_view name) {
  const bool choice = kind == OperandKind::kChoice || kind == OperandKind::kChoices;
  const int index = choice ? position(kChoiceSetNames, name) : 0;
  if (index < 0) {
    throw "instructions.def names a choice set that does not exist";
  }
  return static_cast<ChoiceSet>(index);
}

// A leading empty element keeps the array legal for instructions without operands.
#define INSTRUCTION(Name, ...) constexpr OperandInfo kOperandsOf##Name[] = {OperandInfo{},
#define OPERAND(Name, field, Kind, Constraint, Default, doc)    \
  OperandInfo{#field,                                           \
              OperandKind::k##Kind,                             \
              constraint_of(OperandKind::k##Kind, #Constraint), \
              choices_of(OperandKind::k##Kind, #Constraint),    \
              Default,                                          \
              doc},
#define END_INSTRUCTION(Name) \
  }                           \
  ;
#include "isa/instructions.def"

constexpr InstructionInfo kInstructions[] = {
#define INSTRUCTION(Name, mnemonic, code, Class, Rule, Operator, effects, since, doc) \
  InstructionInfo{Opcode::k##Name,                                                    \
                  #Name,                                                              \
                  mnemonic,                                                           \
                  InstructionClass::k##Class,                                         \
                  #Rule,                                                              \
                  static_cast<std::uint32_t>(effects),                                \
                  since,                                                              \
                  doc,                                                                \
                  std::span<const OperandInfo>(kOperandsOf##Name).subspan(1)},
#include "isa/instructions.def"
};

consteval bool rows_are_sound() {
  for (std::size_t i = 0; i < std::size(kInstructions); ++i) {
    if (i > 0 && kInstructions[i].opcode <= kInstructions[i - 1].opcode) {
      return false;
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (kInstructions[i].mnemonic == kInstructions[j].mnemonic) {
        return false;
      }
    }
    bool named = false;  // positional operands come first
    for (const OperandInfo& operand : kInstructions[i].operands) {
      named = named || !operand.is_positional();
      if (named && operand.is_positional()) {
        return false;
      }
    }
  }
  return true;
}
static_assert(rows_are_sound(), "codes increase, mnemonics are unique, positional operands lead");

constexpr int kCodeLimit = 0x600;
constexpr std::array<std::int16_t, kCodeLimit> rows_by_code() {
  std::array<std::int16_t, kCodeLimit> rows{};
  rows.fill(-1);
  for (std::size_t i = 0; i < std::size(kInstructions); ++i) {
    rows[static_cast<std::size_t>(kInstructions[i].opcode)] = static_cast<std::int16_t>(i);
  }
  return rows;
}
constexpr auto kRowsByCode = rows_by_code();

#define CHOICE_SET(Set) constexpr std::string_view kWordsOf##Set[] = {
#define CHOICE(Set, Name, word) word,
#define END_CHOICE_SET(Set) \
  }                         \
  ;
#include "isa/choices.def"

constexpr std::span<const std::string_view> kChoiceWords[] = {
    {},
#define CHOICE_SET(Set) kWordsOf##Set,
#include "isa/choices.def"
};

constexpr TypeConstraintInfo kConstraints[] = {
#define CONSTRAINT(Name, variable, set, words) {#Name, variable, set, words},
#include "isa/type_constraints.def"
};

constexpr OperandKindInfo kKinds[] = {
#define KIND(Name, doc) {#Name, doc},
#include "isa/operand_kinds.def"
};

bool letter_allows(char letter, DType dtype) {
  switch (letter) {
    case 'f':
      return is_float(dtype);
    case 's':
      return dtype_class(dtype) == DTypeClass::kSigned;
    case 'u':
      return dtype_class(dtype) == DTypeClass::kUnsigned;
    case 'b':
      return dtype == DType::kBool;
    case 'B':
      return dtype == DType::kU8 || dtype == DType::kI8;
    case 'i':
      return dtype == DType::kI64 || dtype == DType::kI32;
    case 'l':
      return dtype == DType::kI64;
    case 'w':
      return dtype == DType::kI32;
    case 'c':
      return dtype == DType::kU8;
    case 'r':
      return dtype == DType::kF32;
    default:
      return letter == 'x';
  }
}

}  // namespace

std::span<const InstructionInfo> instructions() {
  return kInstructions;
}

int row_of(std::uint16_t code) {
  return code < kCodeLimit ? kRowsByCode[code] : -1;
}

const InstructionInfo* find_instruction(std::string_view mnemonic) {
  static const auto kByMnemonic = [] {
    std::unordered_map<std::string_view, const InstructionInfo*> map;
    for (const InstructionInfo& row : kInstructions) {
      map.emplace(row.mnemonic, &row);
    }
    return map;
  }();
  const auto found = kByMnemonic.find(mnemonic);
  return found == kByMnemonic.end() ? nullptr : found->second;
}

int operand_index(const InstructionInfo& info, std::string_view field) {
  for (std::size_t i = 0; i < info.operands.size(); ++i) {
    if (info.operands[i].field == field) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::span<const std::string_view> choice_words(ChoiceSet set) {
  return kChoiceWords[static_cast<std::size_t>(set)];
}

const TypeConstraintInfo& info(TypeConstraint constraint) {
  return kConstraints[static_cast<std::size_t>(constraint)];
}

bool allows(TypeConstraint constraint, DType dtype) {
  const std::string_view set = info(constraint).set;
  return std::any_of(set.begin(), set.end(),
                     [&](char letter) { return letter_allows(letter, dtype); });
}

const OperandKindInfo& info(OperandKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

}  // namespace pliant::isa
