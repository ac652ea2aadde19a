#pragma once

#include <cstdint>
#include <string_view>

#include "onnx/node.h"

namespace pliant::onnx {

// One function per converter named in coverage.inc, defined in convert_<group>.cc. It reads a node
// and emits instructions that set the node's outputs; mistakes stick in the node's emitter.
#define OPERATOR(domain, Name, first, last, converter) void converter(Node& node);
#define OPERATOR_AS(domain, Name, first, last, converter, Row) \
  void converter(Node& node, isa::Opcode opcode);
#include "onnx/coverage.inc"

/// One row of coverage.inc.
struct OperatorRow {
  std::string_view domain;
  std::string_view name;
  std::int64_t first;
  std::int64_t last;
  void (*convert)(Node& node, isa::Opcode opcode);
  isa::Opcode opcode;
};

/// The row for an operator in a version of its domain, or null. "ai.onnx" is the default domain's
/// other name.
[[nodiscard]] const OperatorRow* find_operator(std::string_view domain, std::string_view name,
                                               std::int64_t opset);

/// The versions of the default domain that coverage.inc is written for.
inline constexpr std::int64_t kOldestOpset = 7;
inline constexpr std::int64_t kNewestOpset = 23;

}  // namespace pliant::onnx
