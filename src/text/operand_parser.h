#pragma once

#include <optional>

#include "isa/info.h"
#include "isa/operand.h"
#include "text/scope.h"
#include "text/token_stream.h"

namespace pliant::text {

/// Reads operands by their kind. Label operands get positions in Scope::labels, and a register that
/// stands for a list of sizes stays a register: both are settled when the whole text has been read.
class OperandParser {
 public:
  OperandParser(TokenStream& tokens, Scope& scope) : tokens_(tokens), scope_(scope) {}

  /// Empty after an error.
  [[nodiscard]] std::optional<isa::Operand> parse(const isa::OperandInfo& row);

 private:
  using Parsed = std::optional<isa::Operand>;
  using ItemParser = Parsed (OperandParser::*)(const isa::OperandInfo&);

  Parsed list(const isa::OperandInfo& row, ItemParser item);
  /// A list, or one item that stands for a list of one.
  Parsed list_or_item(const isa::OperandInfo& row, ItemParser item);

  Parsed register_use(const isa::OperandInfo& row);
  Parsed definition(const isa::OperandInfo& row);
  Parsed tensor_use(const isa::OperandInfo& row);
  Parsed size(const isa::OperandInfo& row);
  Parsed size_item(const isa::OperandInfo& row);
  Parsed sizes(const isa::OperandInfo& row);
  Parsed numbers(const isa::OperandInfo& row);
  Parsed whole(const isa::OperandInfo& row);
  Parsed decimal(const isa::OperandInfo& row);
  Parsed flag(const isa::OperandInfo& row);
  Parsed choice(const isa::OperandInfo& row);
  Parsed type(const isa::OperandInfo& row);
  Parsed label(const isa::OperandInfo& row);
  Parsed tensor_axis(const isa::OperandInfo& row);
  Parsed tensor_element(const isa::OperandInfo& row);

  [[nodiscard]] bool at_name() const;
  [[nodiscard]] bool at_tensor() const;
  /// A constant or a symbol.
  Parsed name_use();
  Parsed symbol_use();
  Parsed declared(const Scope::Names& names, isa::Form form, const char* what);
  Parsed fail_expected(const char* what);

  TokenStream& tokens_;
  Scope& scope_;
};

}  // namespace pliant::text
