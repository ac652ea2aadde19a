#include "text/operand_parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "program/limits.h"
#include "text/names.h"
#include "text/numbers.h"

namespace pliant::text {

using isa::Form;
using isa::Operand;
using isa::OperandInfo;
using isa::OperandKind;

std::optional<Operand> OperandParser::parse(const OperandInfo& row) {
  switch (row.kind) {
    case OperandKind::kTensorDef:
    case OperandKind::kAnyDef:
    case OperandKind::kSizeDef:
      return definition(row);
    case OperandKind::kTensorDefs:
      return list(row, &OperandParser::definition);
    case OperandKind::kTensorUse:
    case OperandKind::kAnyUse:
      return tensor_use(row);
    case OperandKind::kTensorUses:
      return list(row, &OperandParser::tensor_use);
    case OperandKind::kTensorAxis:
      return tensor_axis(row);
    case OperandKind::kTensorElement:
      return tensor_element(row);
    case OperandKind::kSize:
      return size(row);
    case OperandKind::kSizes:
      return sizes(row);
    case OperandKind::kNumbers:
      return numbers(row);
    case OperandKind::kInteger:
      return whole(row);
    case OperandKind::kIntegers:
      return list_or_item(row, &OperandParser::whole);
    case OperandKind::kReal:
      return decimal(row);
    case OperandKind::kReals:
      return list_or_item(row, &OperandParser::decimal);
    case OperandKind::kFlag:
      return flag(row);
    case OperandKind::kChoice:
      return choice(row);
    case OperandKind::kChoices:
      return list_or_item(row, &OperandParser::choice);
    case OperandKind::kType:
      return type(row);
    case OperandKind::kLabel:
      return label(row);
    case OperandKind::kInputName:
      return declared(scope_.inputs, Form::kInput, "input");
    case OperandKind::kOutputName:
      return declared(scope_.outputs, Form::kOutput, "output");
    case OperandKind::kConstantName:
      return declared(scope_.constants, Form::kConstant, "constant");
  }
  __builtin_unreachable();
}

OperandParser::Parsed OperandParser::fail_expected(const char* what) {
  tokens_.fail_expected(what);
  return std::nullopt;
}

OperandParser::Parsed OperandParser::list(const OperandInfo& row, ItemParser item) {
  if (!tokens_.expect("[")) {
    return std::nullopt;
  }
  Operand result = isa::list({});
  if (tokens_.accept("]")) {
    return result;
  }
  do {
    auto parsed = (this->*item)(row);
    if (!parsed) {
      return std::nullopt;
    }
    result.list.push_back(std::move(*parsed));
  } while (tokens_.accept(","));
  if (!tokens_.accept("]")) {
    return fail_expected("`,` or `]`");
  }
  return result;
}

OperandParser::Parsed OperandParser::list_or_item(const OperandInfo& row, ItemParser item) {
  if (tokens_.current().is("[")) {
    return list(row, item);
  }
  auto parsed = (this->*item)(row);
  return parsed ? Parsed(isa::list({std::move(*parsed)})) : std::nullopt;
}

OperandParser::Parsed OperandParser::register_use(const OperandInfo&) {
  if (tokens_.current().kind != TokenKind::kRegister) {
    return fail_expected("a register");
  }
  const Token token = tokens_.take();
  const auto number = parse_whole(token.text.substr(1));
  if (!number || *number >= kMaxRegisters) {
    tokens_.fail(token, fmt::format("the largest register is r{}", kMaxRegisters - 1),
                 ErrorCode::kResourceExhausted);
    return std::nullopt;
  }
  auto& registers = scope_.program.registers;
  if (registers.size() <= static_cast<std::size_t>(*number)) {
    registers.resize(static_cast<std::size_t>(*number) + 1);
  }
  return isa::reg(*number);
}

OperandParser::Parsed OperandParser::definition(const OperandInfo& row) {
  const bool may_drop = row.kind == OperandKind::kTensorDef || row.kind == OperandKind::kTensorDefs;
  if (may_drop && tokens_.accept("_")) {
    return isa::absent();
  }
  return register_use(row);
}

bool OperandParser::at_name() const {
  const TokenKind kind = tokens_.current().kind;
  return kind == TokenKind::kName || kind == TokenKind::kQuoted;
}

bool OperandParser::at_tensor() const {
  return tokens_.current().kind == TokenKind::kRegister || at_name();
}

OperandParser::Parsed OperandParser::symbol_use() {
  const Token token = tokens_.take();
  const auto name = tokens_.name_of(token);
  if (!name) {
    return std::nullopt;
  }
  const auto found = scope_.symbols.find(*name);
  if (found == scope_.symbols.end()) {
    tokens_.fail(token, fmt::format("{} is not a symbol", name_text(*name)));
    return std::nullopt;
  }
  return isa::symbol(found->second);
}

OperandParser::Parsed OperandParser::name_use() {
  const Token token = tokens_.take();
  const auto name = tokens_.name_of(token);
  if (!name) {
    return std::nullopt;
  }
  if (const auto found = scope_.constants.find(*name); found != scope_.constants.end()) {
    return isa::constant(found->second);
  }
  if (const auto found = scope_.symbols.find(*name); found != scope_.symbols.end()) {
    return isa::symbol(found->second);
  }
  const bool is_input = scope_.inputs.contains(*name);
  tokens_.fail(token, fmt::format("{} is neither a constant nor a symbol{}", name_text(*name),
                                  is_input ? "; LOAD_TENSOR reads an input" : ""));
  return std::nullopt;
}

OperandParser::Parsed OperandParser::tensor_use(const OperandInfo& row) {
  switch (tokens_.current().kind) {
    case TokenKind::kRegister:
      return register_use(row);
    case TokenKind::kSymbolName:
      return symbol_use();
    case TokenKind::kName:
    case TokenKind::kQuoted:
      return name_use();
    case TokenKind::kWhole:
      return whole(row);
    case TokenKind::kDecimal:
      return decimal(row);
    default:
      return fail_expected("a register, constant, symbol or number");
  }
}

OperandParser::Parsed OperandParser::size(const OperandInfo& row) {
  switch (tokens_.current().kind) {
    case TokenKind::kRegister:
      return register_use(row);
    case TokenKind::kSymbolName:
      return symbol_use();
    case TokenKind::kName:
    case TokenKind::kQuoted:
      return name_use();
    case TokenKind::kWhole:
      return whole(row);
    default:
      return fail_expected("a whole number, register or symbol");
  }
}

OperandParser::Parsed OperandParser::size_item(const OperandInfo& row) {
  // In a list a name can only be a symbol.
  return at_name() ? symbol_use() : size(row);
}

OperandParser::Parsed OperandParser::sizes(const OperandInfo& row) {
  if (tokens_.current().is("[")) {
    return list(row, &OperandParser::size_item);
  }
  auto parsed = size(row);
  if (parsed && (parsed->form == Form::kNumber || parsed->form == Form::kSymbol)) {
    return isa::list({std::move(*parsed)});
  }
  return parsed;
}

OperandParser::Parsed OperandParser::numbers(const OperandInfo& row) {
  if (!at_tensor()) {
    return list_or_item(row, &OperandParser::decimal);
  }
  return at_name() ? declared(scope_.constants, Form::kConstant, "constant") : register_use(row);
}

OperandParser::Parsed OperandParser::whole(const OperandInfo&) {
  if (tokens_.current().kind != TokenKind::kWhole) {
    return fail_expected("a whole number");
  }
  const Token token = tokens_.take();
  const auto value = parse_whole(token.text);
  if (!value) {
    tokens_.fail(token, "a whole number does not fit into 64 bits");
    return std::nullopt;
  }
  return isa::number(*value);
}

OperandParser::Parsed OperandParser::decimal(const OperandInfo&) {
  const TokenKind kind = tokens_.current().kind;
  if (kind != TokenKind::kWhole && kind != TokenKind::kDecimal) {
    return fail_expected("a number");
  }
  const Token token = tokens_.take();
  const auto value = parse_real(token.text);
  if (!value) {
    tokens_.fail(token, "a decimal number does not fit into f64");
    return std::nullopt;
  }
  return isa::real(*value);
}

OperandParser::Parsed OperandParser::flag(const OperandInfo&) {
  const std::string_view text = tokens_.current().text;
  if (text != "true" && text != "false") {
    return fail_expected("true or false");
  }
  tokens_.take();
  return isa::flag(text == "true");
}

OperandParser::Parsed OperandParser::choice(const OperandInfo& row) {
  const auto words = isa::choice_words(row.choices);
  const auto found = std::find(words.begin(), words.end(), tokens_.current().text);
  if (found == words.end()) {
    return fail_expected(fmt::format("one of {}", fmt::join(words, " ")).c_str());
  }
  tokens_.take();
  return isa::of_form(Form::kChoice, found - words.begin());
}

OperandParser::Parsed OperandParser::type(const OperandInfo&) {
  const auto dtype = dtype_from_name(tokens_.current().text);
  if (!dtype) {
    return fail_expected("an element type");
  }
  tokens_.take();
  return isa::type(*dtype);
}

OperandParser::Parsed OperandParser::label(const OperandInfo&) {
  if (tokens_.current().kind != TokenKind::kLabelName) {
    return fail_expected("a label such as `@loop`");
  }
  const Token token = tokens_.take();
  const auto name = tokens_.name_of(token);
  return name ? Parsed(isa::label(scope_.label(*name, token))) : std::nullopt;
}

OperandParser::Parsed OperandParser::tensor_axis(const OperandInfo& row) {
  const auto tensor = register_use(row);
  if (!tensor) {
    return std::nullopt;
  }
  if (tokens_.current().text != ".dim") {
    return fail_expected("`.dim(axis)`");
  }
  tokens_.take();
  if (!tokens_.expect("(")) {
    return std::nullopt;
  }
  const auto axis = whole(row);
  if (!axis || !tokens_.expect(")")) {
    return std::nullopt;
  }
  return isa::axis_of(tensor->number, axis->number);
}

OperandParser::Parsed OperandParser::tensor_element(const OperandInfo& row) {
  const auto tensor = register_use(row);
  if (!tensor || !tokens_.expect("[")) {
    return std::nullopt;
  }
  const auto element = whole(row);
  if (!element || !tokens_.expect("]")) {
    return std::nullopt;
  }
  return isa::element_of(tensor->number, element->number);
}

OperandParser::Parsed OperandParser::declared(const Scope::Names& names, Form form,
                                              const char* what) {
  const Token token = tokens_.current();
  const auto name = tokens_.name(fmt::format("the name of a declared {}", what));
  if (!name) {
    return std::nullopt;
  }
  const auto found = names.find(*name);
  if (found == names.end()) {
    tokens_.fail(token, fmt::format("there is no {} {}", what, name_text(*name)));
    return std::nullopt;
  }
  return isa::of_form(form, found->second);
}

}  // namespace pliant::text
