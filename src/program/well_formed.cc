#include "program/well_formed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <unordered_set>

#include "base/result.h"
#include "isa/info.h"
#include "program/limits.h"

namespace pliant {
namespace {

using isa::Form;
using isa::Operand;
using isa::OperandInfo;
using isa::OperandKind;

using Forms = std::uint32_t;
constexpr Forms forms(std::initializer_list<Form> list) {
  Forms set = 0;
  for (const Form form : list) {
    set |= Forms{1} << static_cast<int>(form);
  }
  return set;
}
constexpr bool has(Forms set, Form form) {
  return ((set >> static_cast<int>(form)) & 1u) != 0;
}

/// Which registers may stand in an operand.
enum class Registers : std::uint8_t { kAny, kTensor, kSize };

/// What a kind allows: forms of the operand itself and, if that is a list, of its items.
struct KindRule {
  OperandKind kind;
  Forms operand;
  Forms item;
  Registers registers;       ///< of the operand
  Registers item_registers;  ///< of the items
};

constexpr Forms kTensorForms =
    forms({Form::kRegister, Form::kConstant, Form::kNumber, Form::kSymbol, Form::kReal});
constexpr Forms kList = forms({Form::kList});

// In the order of operand_kinds.def.
constexpr KindRule kRules[] = {
    {OperandKind::kTensorDef, forms({Form::kRegister, Form::kAbsent}), 0, Registers::kTensor, {}},
    {OperandKind::kTensorDefs,
     kList,
     forms({Form::kRegister, Form::kAbsent}),
     {},
     Registers::kTensor},
    {OperandKind::kAnyDef, forms({Form::kRegister}), 0, Registers::kAny, {}},
    {OperandKind::kSizeDef, forms({Form::kRegister}), 0, Registers::kSize, {}},
    {OperandKind::kTensorUse, kTensorForms, 0, Registers::kAny, {}},
    {OperandKind::kTensorUses, kList, kTensorForms, {}, Registers::kAny},
    {OperandKind::kAnyUse, kTensorForms, 0, Registers::kAny, {}},
    {OperandKind::kTensorAxis, forms({Form::kAxis}), 0, Registers::kTensor, {}},
    {OperandKind::kTensorElement, forms({Form::kElement}), 0, Registers::kTensor, {}},
    {OperandKind::kSize,
     forms({Form::kNumber, Form::kRegister, Form::kSymbol, Form::kConstant}),
     0,
     Registers::kAny,
     {}},
    {OperandKind::kSizes, forms({Form::kList, Form::kRegister, Form::kConstant}),
     forms({Form::kNumber, Form::kRegister, Form::kSymbol}), Registers::kTensor, Registers::kSize},
    {OperandKind::kNumbers,
     forms({Form::kList, Form::kRegister, Form::kConstant}),
     forms({Form::kReal}),
     Registers::kTensor,
     {}},
    {OperandKind::kInteger, forms({Form::kNumber}), 0, {}, {}},
    {OperandKind::kIntegers, kList, forms({Form::kNumber}), {}, {}},
    {OperandKind::kReal, forms({Form::kReal}), 0, {}, {}},
    {OperandKind::kReals, kList, forms({Form::kReal}), {}, {}},
    {OperandKind::kFlag, forms({Form::kFlag}), 0, {}, {}},
    {OperandKind::kChoice, forms({Form::kChoice}), 0, {}, {}},
    {OperandKind::kChoices, kList, forms({Form::kChoice}), {}, {}},
    {OperandKind::kType, forms({Form::kType}), 0, {}, {}},
    {OperandKind::kLabel, forms({Form::kLabel}), 0, {}, {}},
    {OperandKind::kInputName, forms({Form::kInput}), 0, {}, {}},
    {OperandKind::kOutputName, forms({Form::kOutput}), 0, {}, {}},
    {OperandKind::kConstantName, forms({Form::kConstant}), 0, {}, {}},
};

consteval bool rules_are_in_order() {
  for (std::size_t i = 0; i < std::size(kRules); ++i) {
    if (kRules[i].kind != static_cast<OperandKind>(i)) {
      return false;
    }
  }
  return true;
}
static_assert(rules_are_in_order(), "one rule per row of operand_kinds.def");

const KindRule& rule_of(OperandKind kind) {
  return kRules[static_cast<std::size_t>(kind)];
}

/// How many values `number` may have in an operand of this form; -1: any number.
std::int64_t limit_of(const Program& program, const OperandInfo& row, Form form) {
  const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  switch (form) {
    case Form::kRegister:
    case Form::kAxis:
    case Form::kElement:
      return count(program.registers);
    case Form::kConstant:
      return count(program.constants);
    case Form::kInput:
      return count(program.inputs);
    case Form::kOutput:
      return count(program.outputs);
    case Form::kSymbol:
      return count(program.symbols);
    case Form::kFlag:
      return 2;
    case Form::kChoice:
      return count(isa::choice_words(row.choices));
    case Form::kType:
      return kDTypeCount;
    case Form::kLabel:
      return count(program.instructions) + 1;
    case Form::kAbsent:
    case Form::kNumber:
    case Form::kReal:
    case Form::kList:
      return -1;
  }
  return 0;
}

class InstructionCheck {
 public:
  InstructionCheck(const Program& program, const isa::Instruction& instruction,
                   const isa::InstructionInfo& row)
      : program_(program), instruction_(instruction), row_(row) {}

  Status run();

 private:
  Status check(const OperandInfo& row, const Operand& operand);
  Status check_value(const OperandInfo& row, const Operand& operand, Registers registers);
  void note_definition(const Operand& operand);
  Status check_results();
  Status check_moved_kinds();

  const Program& program_;
  const isa::Instruction& instruction_;
  const isa::InstructionInfo& row_;
  std::vector<std::int64_t> defined_;
};

Status InstructionCheck::run() {
  if (instruction_.operands.size() != row_.operands.size()) {
    return make_error(ErrorCode::kVerification, "{} takes {} operands, found {}", row_.mnemonic,
                      row_.operands.size(), instruction_.operands.size());
  }
  for (std::size_t i = 0; i < row_.operands.size(); ++i) {
    PLIANT_RETURN_IF_ERROR(check(row_.operands[i], instruction_.operands[i]));
  }
  PLIANT_RETURN_IF_ERROR(check_results());
  return check_moved_kinds();
}

Status InstructionCheck::check(const OperandInfo& row, const Operand& operand) {
  const KindRule& rule = rule_of(row.kind);
  const bool may_be_absent = row.default_value.presence == isa::Default::Presence::kOptional &&
                             row.default_value.form == Form::kAbsent;
  if (operand.form == Form::kAbsent && may_be_absent) {
    return {};
  }
  if (!has(rule.operand, operand.form)) {
    return make_error(ErrorCode::kVerification, "{}: operand {} has the wrong form, expected {}",
                      row_.mnemonic, row.field, isa::info(row.kind).doc);
  }
  if (operand.form != Form::kList) {
    PLIANT_RETURN_IF_ERROR(check_value(row, operand, rule.registers));
    if (row.is_definition()) {
      note_definition(operand);
    }
    return {};
  }
  for (const Operand& item : operand.list) {
    if (!has(rule.item, item.form)) {
      return make_error(ErrorCode::kVerification,
                        "{}: an item of operand {} has the wrong form, expected {}", row_.mnemonic,
                        row.field, isa::info(row.kind).doc);
    }
    PLIANT_RETURN_IF_ERROR(check_value(row, item, rule.item_registers));
    if (row.is_definition()) {
      note_definition(item);
    }
  }
  return {};
}

Status InstructionCheck::check_value(const OperandInfo& row, const Operand& operand,
                                     Registers registers) {
  const std::int64_t limit = limit_of(program_, row, operand.form);
  if (limit >= 0 && (operand.number < 0 || operand.number >= limit)) {
    return make_error(ErrorCode::kVerification,
                      "{}: operand {} has an index out of range: {} of {}", row_.mnemonic,
                      row.field, operand.number, limit);
  }
  const bool is_register = operand.form == Form::kRegister || operand.form == Form::kAxis ||
                           operand.form == Form::kElement;
  if (!is_register || registers == Registers::kAny) {
    return {};
  }
  const RegisterKind kind = program_.registers[static_cast<std::size_t>(operand.number)].kind;
  if ((kind == RegisterKind::kSize) != (registers == Registers::kSize)) {
    return make_error(ErrorCode::kVerification, "{}: operand {} needs a {} register, r{} is a {}",
                      row_.mnemonic, row.field, registers == Registers::kSize ? "size" : "tensor",
                      operand.number, kind == RegisterKind::kSize ? "size" : "tensor");
  }
  return {};
}

void InstructionCheck::note_definition(const Operand& operand) {
  if (operand.form == Form::kRegister) {
    defined_.push_back(operand.number);
  }
}

Status InstructionCheck::check_results() {
  std::sort(defined_.begin(), defined_.end());
  const auto twice = std::adjacent_find(defined_.begin(), defined_.end());
  if (twice != defined_.end()) {
    return make_error(ErrorCode::kVerification, "{}: two results go to one register: r{}",
                      row_.mnemonic, *twice);
  }
  return {};
}

/// A register that receives a value of any kind has the kind of that value.
Status InstructionCheck::check_moved_kinds() {
  const Operand* target = nullptr;
  const Operand* value = nullptr;
  for (std::size_t i = 0; i < row_.operands.size(); ++i) {
    target = row_.operands[i].kind == OperandKind::kAnyDef ? &instruction_.operands[i] : target;
    value = row_.operands[i].kind == OperandKind::kAnyUse ? &instruction_.operands[i] : value;
  }
  if (target == nullptr || value == nullptr) {
    return {};
  }
  const auto kind_of = [&](const Operand& operand) {
    return program_.registers[static_cast<std::size_t>(operand.number)].kind;
  };
  const bool target_is_size = kind_of(*target) == RegisterKind::kSize;
  // Numbers and symbols are sizes, so that text alone says the kind of every register.
  const bool value_is_size = value->form == Form::kRegister
                                 ? kind_of(*value) == RegisterKind::kSize
                                 : value->form == Form::kNumber || value->form == Form::kSymbol;
  if (value_is_size != target_is_size) {
    return make_error(ErrorCode::kVerification, "{}: a {} is moved into a {} register: r{}",
                      row_.mnemonic, value_is_size ? "size" : "tensor",
                      target_is_size ? "size" : "tensor", target->number);
  }
  return {};
}

template <class List, class NameOf>
Status check_names(const List& list, std::string_view what, std::int64_t limit, NameOf&& name_of) {
  if (static_cast<std::int64_t>(list.size()) > limit) {
    return make_error(ErrorCode::kResourceExhausted, "a program has at most {} {}s, found {}",
                      limit, what, list.size());
  }
  std::unordered_set<std::string_view> names;
  for (const auto& item : list) {
    const std::string_view name = name_of(item);
    if (name.size() > kMaxNameBytes) {
      return make_error(ErrorCode::kResourceExhausted, "a name has at most {} bytes, found {}",
                        kMaxNameBytes, name.size());
    }
    if (!names.insert(name).second) {
      return make_error(ErrorCode::kVerification, "{} is declared twice: {}", what, name);
    }
  }
  return {};
}

Status check_input(const Program& program, const InputDeclaration& input) {
  if (input.shape.size() > kMaxRank || (!input.rank_known && !input.shape.empty())) {
    return make_error(ErrorCode::kVerification, "an input has too many axes: {}", input.name);
  }
  for (const InputExtent& extent : input.shape) {
    const bool symbol = extent.kind == InputExtent::Kind::kSymbol;
    if (extent.value < 0 ||
        (symbol && extent.value >= static_cast<std::int64_t>(program.symbols.size()))) {
      return make_error(ErrorCode::kVerification, "an extent of input {} is out of range: {}",
                        input.name, extent.value);
    }
  }
  const int constants = static_cast<int>(program.constants.size());
  if (input.default_constant &&
      (*input.default_constant < 0 || *input.default_constant >= constants)) {
    return make_error(ErrorCode::kVerification, "the default of input {} does not exist",
                      input.name);
  }
  return {};
}

Status check_constant(const Constant& constant) {
  const TensorView& view = constant.value.view;
  const auto count = checked_element_count(view.shape);
  if (!count || constant.value.storage == nullptr || !view.is_contiguous() ||
      static_cast<std::uint64_t>(*count) >
          constant.value.storage->byte_size() / byte_size(view.dtype)) {
    return make_error(ErrorCode::kVerification, "constant {} has no proper values", constant.name);
  }
  return {};
}

}  // namespace

Status check_declarations(const Program& program) {
  const auto same = [](const std::string& name) { return std::string_view(name); };
  const auto name_of = [](const auto& item) { return std::string_view(item.name); };
  PLIANT_RETURN_IF_ERROR(check_names(program.symbols, "symbol", kMaxDeclarations, same));
  PLIANT_RETURN_IF_ERROR(check_names(program.inputs, "input", kMaxDeclarations, name_of));
  PLIANT_RETURN_IF_ERROR(check_names(program.outputs, "output", kMaxDeclarations, name_of));
  PLIANT_RETURN_IF_ERROR(check_names(program.constants, "constant", kMaxConstants, name_of));
  if (static_cast<std::int64_t>(program.instructions.size()) > kMaxInstructions ||
      static_cast<std::int64_t>(program.registers.size()) > kMaxRegisters) {
    return make_error(ErrorCode::kResourceExhausted,
                      "a program has at most {} instructions and {} registers, found {} and {}",
                      kMaxInstructions, kMaxRegisters, program.instructions.size(),
                      program.registers.size());
  }
  for (const InputDeclaration& input : program.inputs) {
    PLIANT_RETURN_IF_ERROR(check_input(program, input));
  }
  for (const Constant& constant : program.constants) {
    PLIANT_RETURN_IF_ERROR(check_constant(constant));
  }
  return {};
}

Status check_instruction(const Program& program, std::size_t instruction) {
  const isa::Instruction& checked = program.instructions[instruction];
  if (isa::row_of(checked.opcode) < 0) {
    return make_error(ErrorCode::kVerification, "there is no instruction with code {}",
                      static_cast<int>(checked.opcode));
  }
  return InstructionCheck(program, checked, isa::info(checked.opcode)).run();
}

}  // namespace pliant
