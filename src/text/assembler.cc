#include "text/assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "isa/info.h"
#include "program/limits.h"
#include "text/canonical_form.h"
#include "text/constant_parser.h"
#include "text/names.h"
#include "text/numbers.h"
#include "text/operand_parser.h"
#include "text/scope.h"
#include "text/token_stream.h"

namespace pliant::text {
namespace {

isa::Operand default_operand(const isa::Default& value) {
  isa::Operand operand;
  operand.form = value.form;
  operand.number = value.number;
  operand.real = value.real;
  return operand;
}

class Assembler {
 public:
  Assembler(std::string_view text, std::string source, Diagnostics& diagnostics,
            const AssembleLimits& limits)
      : text_(text),
        tokens_(text, source, diagnostics),
        diagnostics_(diagnostics),
        constant_bytes_left_(limits.constant_bytes) {
    scope_.program.source = std::move(source);
  }

  Result<Program> run();

 private:
  bool line();
  bool label();
  bool declaration();
  bool declare_symbol();
  bool declare_input();
  bool declare_output();
  bool declare_constant();
  bool extents(InputDeclaration& input);
  bool extent(InputDeclaration& input);
  bool instruction();
  bool operand(const isa::InstructionInfo& row, isa::Instruction& instruction,
               std::vector<bool>& given, std::size_t& next_positional);
  bool require_operands(const isa::InstructionInfo& row, const std::vector<bool>& given);
  void resolve_labels();

  /// Takes the name of a new declaration and enters it under the next number.
  std::optional<std::string> declare(Scope::Names& names, const char* what, std::int64_t limit);

  std::string_view text_;
  TokenStream tokens_;
  Diagnostics& diagnostics_;
  Scope scope_;
  std::size_t constant_bytes_left_;
};

Result<Program> Assembler::run() {
  while (!tokens_.at_end() && !diagnostics_.full()) {
    if (!line()) {
      tokens_.skip_line();
    } else if (!tokens_.at_line_end()) {
      tokens_.fail_expected("the end of the line");
      tokens_.skip_line();
    }
    if (!tokens_.at_end()) {
      tokens_.take();
    }
  }
  resolve_labels();
  if (!diagnostics_.empty()) {
    return diagnostics_.to_error(text_);
  }
  settle_registers(scope_.program);
  return std::move(scope_.program);
}

bool Assembler::line() {
  while (tokens_.current().kind == TokenKind::kLabelName) {
    if (!label()) {
      return false;
    }
  }
  if (tokens_.at_line_end()) {
    return true;
  }
  if (tokens_.current().kind == TokenKind::kDirective) {
    return declaration();
  }
  if (tokens_.current().kind == TokenKind::kName) {
    return instruction();
  }
  return tokens_.fail_expected("an instruction, a declaration or a label");
}

bool Assembler::label() {
  const Token token = tokens_.take();
  const auto name = tokens_.name_of(token);
  if (!name || !tokens_.expect(":")) {
    return false;
  }
  Scope::Label& label = scope_.labels[static_cast<std::size_t>(scope_.label(*name, token))];
  if (label.instruction) {
    return tokens_.fail(token, fmt::format("label @{} is set twice", name_text(*name)));
  }
  label.instruction = static_cast<std::int64_t>(scope_.program.instructions.size());
  return true;
}

bool Assembler::declaration() {
  using Declare = bool (Assembler::*)();
  static constexpr std::pair<std::string_view, Declare> kDirectives[] = {
      {".dim", &Assembler::declare_symbol},
      {".input", &Assembler::declare_input},
      {".output", &Assembler::declare_output},
      {".const", &Assembler::declare_constant},
  };
  for (const auto& [directive, declare] : kDirectives) {
    if (tokens_.current().text == directive) {
      tokens_.take();
      return (this->*declare)();
    }
  }
  return tokens_.fail_expected("one of .dim .input .output .const");
}

std::optional<std::string> Assembler::declare(Scope::Names& names, const char* what,
                                              std::int64_t limit) {
  const Token token = tokens_.current();
  auto name = tokens_.name("a name");
  if (!name) {
    return std::nullopt;
  }
  if (static_cast<std::int64_t>(names.size()) >= limit) {
    tokens_.fail(token, fmt::format("a program has at most {} {}s", limit, what),
                 ErrorCode::kResourceExhausted);
    return std::nullopt;
  }
  if (!names.emplace(*name, static_cast<std::int64_t>(names.size())).second) {
    tokens_.fail(token, fmt::format("{} {} is declared twice", what, name_text(*name)));
    return std::nullopt;
  }
  return name;
}

bool Assembler::declare_symbol() {
  auto name = declare(scope_.symbols, "symbol", kMaxDeclarations);
  if (name) {
    scope_.program.symbols.push_back(std::move(*name));
  }
  return name.has_value();
}

bool Assembler::declare_input() {
  auto name = declare(scope_.inputs, "input", kMaxDeclarations);
  if (!name) {
    return false;
  }
  // Entered at once, so that numbers agree even when the rest of the line is wrong.
  scope_.program.inputs.emplace_back();
  InputDeclaration& input = scope_.program.inputs.back();
  input.name = std::move(*name);
  const auto dtype = parse_dtype(tokens_);
  if (!dtype) {
    return false;
  }
  input.dtype = *dtype;
  if (!extents(input)) {
    return false;
  }
  if (tokens_.accept("=")) {
    OperandParser operands(tokens_, scope_);
    isa::OperandInfo constant_name{};
    constant_name.kind = isa::OperandKind::kConstantName;
    const auto constant = operands.parse(constant_name);
    if (!constant) {
      return false;
    }
    input.default_constant = static_cast<int>(constant->number);
  }
  return true;
}

bool Assembler::extents(InputDeclaration& input) {
  if (!tokens_.expect("[")) {
    return false;
  }
  if (tokens_.accept("...")) {
    input.rank_known = false;
    return tokens_.expect("]");
  }
  if (tokens_.accept("]")) {
    return true;
  }
  do {
    if (!extent(input)) {
      return false;
    }
  } while (tokens_.accept(","));
  return tokens_.expect("]");
}

bool Assembler::extent(InputDeclaration& input) {
  const Token token = tokens_.current();
  if (input.shape.size() == kMaxRank) {
    return tokens_.fail(token, fmt::format("a shape has at most {} axes", kMaxRank));
  }
  if (token.kind == TokenKind::kWhole) {
    const auto value = parse_whole(token.text);
    if (!value || *value < 0) {
      return tokens_.fail_expected("an extent");
    }
    tokens_.take();
    input.shape.push_back({InputExtent::Kind::kNumber, *value});
    return true;
  }
  const bool marked = token.kind == TokenKind::kSymbolName;
  auto name = marked ? tokens_.name_of(tokens_.take()) : tokens_.name("a number or a symbol");
  if (!name) {
    return false;
  }
  const auto next = static_cast<std::int64_t>(scope_.symbols.size());
  const auto [found, is_new] = scope_.symbols.emplace(*name, next);
  if (is_new) {
    if (next >= kMaxDeclarations) {
      return tokens_.fail(token, fmt::format("a program has at most {} symbols", kMaxDeclarations),
                          ErrorCode::kResourceExhausted);
    }
    scope_.program.symbols.push_back(std::move(*name));
  }
  input.shape.push_back({InputExtent::Kind::kSymbol, found->second});
  return true;
}

bool Assembler::declare_output() {
  auto name = declare(scope_.outputs, "output", kMaxDeclarations);
  if (name) {
    scope_.program.outputs.push_back({std::move(*name)});
  }
  return name.has_value();
}

bool Assembler::declare_constant() {
  auto name = declare(scope_.constants, "constant", kMaxConstants);
  if (!name) {
    return false;
  }
  scope_.program.constants.emplace_back();
  auto constant = parse_constant(tokens_, constant_bytes_left_);
  if (!constant) {
    return false;
  }
  constant->name = std::move(*name);
  scope_.program.constants.back() = std::move(*constant);
  return true;
}

bool Assembler::instruction() {
  const Token token = tokens_.current();
  const isa::InstructionInfo* row = isa::find_instruction(token.text);
  if (row == nullptr) {
    return tokens_.fail(token, fmt::format("there is no instruction {}", token.text));
  }
  if (static_cast<std::int64_t>(scope_.program.instructions.size()) >= kMaxInstructions) {
    return tokens_.fail(token,
                        fmt::format("a program has at most {} instructions", kMaxInstructions),
                        ErrorCode::kResourceExhausted);
  }
  tokens_.take();
  isa::Instruction instruction;
  instruction.opcode = row->opcode;
  for (const isa::OperandInfo& info : row->operands) {
    instruction.operands.push_back(default_operand(info.default_value));
  }
  std::vector<bool> given(row->operands.size(), false);
  std::size_t next_positional = 0;
  for (bool first = true; !tokens_.at_line_end(); first = false) {
    if (!first && !tokens_.accept(",")) {
      return tokens_.fail_expected("`,` or the end of the line");
    }
    if (!operand(*row, instruction, given, next_positional)) {
      return false;
    }
  }
  if (!require_operands(*row, given)) {
    return false;
  }
  scope_.program.instructions.push_back(std::move(instruction));
  scope_.program.places.push_back({token.line, token.column, {}});
  return true;
}

bool Assembler::operand(const isa::InstructionInfo& row, isa::Instruction& instruction,
                        std::vector<bool>& given, std::size_t& next_positional) {
  const Token token = tokens_.current();
  std::size_t index = next_positional;
  if (token.kind == TokenKind::kName && tokens_.following().is("=")) {
    const int found = isa::operand_index(row, token.text);
    if (found < 0) {
      return tokens_.fail(token, fmt::format("{} has no attribute {}", row.mnemonic, token.text));
    }
    index = static_cast<std::size_t>(found);
    if (row.operands[index].is_positional()) {
      return tokens_.fail(
          token, fmt::format("{} takes {} by its position, not by name", row.mnemonic, token.text));
    }
    if (given[index]) {
      return tokens_.fail(token, fmt::format("attribute {} is given twice", token.text));
    }
    tokens_.take();
    tokens_.take();
  } else if (index >= row.operands.size() || !row.operands[index].is_positional()) {
    return tokens_.fail(
        token, fmt::format("{} takes {} operands and attributes name=value", row.mnemonic, index));
  } else {
    ++next_positional;
  }
  auto parsed = OperandParser(tokens_, scope_).parse(row.operands[index]);
  if (!parsed) {
    return false;
  }
  given[index] = true;
  instruction.operands[index] = std::move(*parsed);
  return true;
}

bool Assembler::require_operands(const isa::InstructionInfo& row, const std::vector<bool>& given) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    const isa::OperandInfo& info = row.operands[i];
    if (!given[i] && info.default_value.presence != isa::Default::Presence::kOptional) {
      return tokens_.fail(tokens_.current(),
                          fmt::format("{} needs {}{}: {}", row.mnemonic, info.field,
                                      info.is_positional() ? "" : "=", info.doc));
    }
  }
  return true;
}

void Assembler::resolve_labels() {
  std::vector<const Scope::Label*> unset;
  for (const Scope::Label& label : scope_.labels) {
    if (!label.instruction) {
      tokens_.fail(label.first_use, fmt::format("label @{} is not set", name_text(label.name)));
      unset.push_back(&label);
    }
  }
  if (!unset.empty()) {
    return;
  }
  for (isa::Instruction& instruction : scope_.program.instructions) {
    for (isa::Operand& operand : instruction.operands) {
      if (operand.form == isa::Form::kLabel) {
        operand.number = *scope_.labels[static_cast<std::size_t>(operand.number)].instruction;
      }
    }
  }
}

}  // namespace

Result<Program> assemble(std::string_view text, std::string source_name, Diagnostics& diagnostics,
                         const AssembleLimits& limits) {
  return Assembler(text, std::move(source_name), diagnostics, limits).run();
}

}  // namespace pliant::text
