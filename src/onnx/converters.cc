#include "onnx/converters.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

namespace pliant::onnx {
namespace {

constexpr OperatorRow kRows[] = {
#define OPERATOR(domain, Name, first, last, converter) \
  {domain, #Name, first, last, [](Node& node, isa::Opcode) { converter(node); }, isa::Opcode{}},
#define OPERATOR_AS(domain, Name, first, last, converter, Row) \
  {domain, #Name, first, last, &converter, isa::Row::kOpcode},
#include "onnx/coverage.inc"
};

constexpr bool rows_are_sane() {
  for (const OperatorRow& row : kRows) {
    if (row.first > row.last || row.last > kNewestOpset) {
      return false;
    }
  }
  return true;
}
static_assert(rows_are_sane());

using Index = std::unordered_map<std::string_view, std::vector<const OperatorRow*>>;

const Index& rows_by_name() {
  static const Index kIndex = [] {
    Index rows;
    for (const OperatorRow& row : kRows) {
      rows[row.name].push_back(&row);
    }
    return rows;
  }();
  return kIndex;
}

}  // namespace

const OperatorRow* find_operator(std::string_view domain, std::string_view name,
                                 std::int64_t opset) {
  const auto found = rows_by_name().find(name);
  if (found == rows_by_name().end()) {
    return nullptr;
  }
  const std::string_view wanted = domain == "ai.onnx" ? std::string_view() : domain;
  for (const OperatorRow* row : found->second) {
    if (row->domain == wanted && row->first <= opset && opset <= row->last) {
      return row;
    }
  }
  return nullptr;
}

}  // namespace pliant::onnx
