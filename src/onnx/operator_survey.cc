#include "onnx/operator_survey.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "onnx/converters.h"
#include "onnx/node_order.h"

namespace pliant::onnx {
namespace {

bool is_default_domain(const std::string& domain) {
  return domain.empty() || domain == "ai.onnx";
}

/// How an operator without a row is listed.
std::string describe_missing(const proto::Node& node, std::int64_t version) {
  if (!is_default_domain(node.domain())) {
    return fmt::format("{}.{}", node.domain(), node.op_type());
  }
  if (version == 0) {
    return fmt::format("{} (the model declares no operator set)", node.op_type());
  }
  if (version < kOldestOpset || version > kNewestOpset) {
    return fmt::format("{} of opset {} (supported: {} to {})", node.op_type(), version,
                       kOldestOpset, kNewestOpset);
  }
  for (const proto::Attribute& attribute : node.attribute()) {
    if (attribute.has_g() || attribute.graphs_size() > 0) {
      return fmt::format("{} (control flow)", node.op_type());
    }
  }
  return node.op_type();
}

class Survey {
 public:
  explicit Survey(const FunctionLibrary& functions) : functions_(functions) {}

  void visit(const NodeList& nodes, const OperatorSets& sets) {
    for (const proto::Node& node : nodes) {
      for (const proto::Attribute& attribute : node.attribute()) {  // as deep as the reader allows
        visit(attribute.g().node(), sets);
        for (const proto::Graph& graph : attribute.graphs()) {
          visit(graph.node(), sets);
        }
      }
      if (const Function* function = functions_.find(node)) {
        pending_.push_back(function);
        continue;
      }
      const std::int64_t version = sets.version(node.domain());
      if (find_operator(node.domain(), node.op_type(), version) == nullptr) {
        ++missing_[describe_missing(node, version)];
      }
    }
  }

  /// Visits called functions, each once, without recursion: calls may form cycles.
  void visit_called_functions() {
    std::set<const Function*> visited;
    while (!pending_.empty()) {
      const Function* function = pending_.back();
      pending_.pop_back();
      if (visited.insert(function).second) {
        visit(function->definition->node(), function->operator_sets);
      }
    }
  }

  [[nodiscard]] Status result() const {
    if (missing_.empty()) {
      return {};
    }
    std::vector<std::string> items;
    for (const auto& [name, count] : missing_) {
      items.push_back(fmt::format("{}: {}", name, count));
    }
    return make_error(ErrorCode::kUnsupported,
                      "operators that are not supported, with their counts: {}",
                      fmt::join(items, ", "));
  }

 private:
  const FunctionLibrary& functions_;
  std::vector<const Function*> pending_;
  std::map<std::string, int> missing_;
};

}  // namespace

Status survey_operators(const proto::Model& model, const FunctionLibrary& functions) {
  Survey survey(functions);
  survey.visit(model.graph().node(), OperatorSets(model.opset_import()));
  survey.visit_called_functions();
  return survey.result();
}

}  // namespace pliant::onnx
