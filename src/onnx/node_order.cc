#include "onnx/node_order.h"

#include <string_view>
#include <unordered_map>

namespace pliant::onnx {
namespace {

enum class Mark : std::uint8_t { kNew, kOpen, kDone };

/// A node whose inputs are being visited.
struct Visit {
  int node;
  int next_input = 0;
};

}  // namespace

std::string describe(const proto::Node& node) {
  if (!node.name().empty()) {
    return fmt::format("node '{}' ({})", node.name(), node.op_type());
  }
  if (node.output_size() > 0) {
    return fmt::format("node of '{}' ({})", node.output(0), node.op_type());
  }
  return fmt::format("node ({})", node.op_type());
}

Result<std::vector<int>> order_nodes(const NodeList& nodes) {
  std::unordered_map<std::string_view, int> writers;
  for (int i = 0; i < nodes.size(); ++i) {
    for (const std::string& name : nodes.Get(i).output()) {
      if (!name.empty() && !writers.emplace(name, i).second) {
        return Error{ErrorCode::kCorrupt, fmt::format("two nodes write one name: '{}'", name),
                     describe(nodes.Get(i))};
      }
    }
  }
  std::vector<int> order;
  order.reserve(static_cast<std::size_t>(nodes.size()));
  std::vector<Mark> marks(static_cast<std::size_t>(nodes.size()), Mark::kNew);
  std::vector<Visit> stack;  // not recursion: a chain may be as long as the file
  for (int root = 0; root < nodes.size(); ++root) {
    if (marks[static_cast<std::size_t>(root)] != Mark::kNew) {
      continue;
    }
    marks[static_cast<std::size_t>(root)] = Mark::kOpen;
    stack.push_back({root});
    while (!stack.empty()) {
      Visit& visit = stack.back();
      const proto::Node& node = nodes.Get(visit.node);
      if (visit.next_input == node.input_size()) {
        marks[static_cast<std::size_t>(visit.node)] = Mark::kDone;
        order.push_back(visit.node);
        stack.pop_back();
        continue;
      }
      const auto writer = writers.find(node.input(visit.next_input++));
      if (writer == writers.end()) {
        continue;
      }
      Mark& mark = marks[static_cast<std::size_t>(writer->second)];
      if (mark == Mark::kOpen) {
        return Error{ErrorCode::kCorrupt, "nodes read each other's results in a cycle",
                     describe(node)};
      }
      if (mark == Mark::kNew) {
        mark = Mark::kOpen;
        stack.push_back({writer->second});
      }
    }
  }
  return order;
}

}  // namespace pliant::onnx
