#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "onnx/attributes.h"
#include "onnx/emitter.h"
#include "onnx/function_library.h"
#include "onnx/node_order.h"
#include "onnx/tensor_data.h"

namespace pliant::onnx {

/// Turns the graph of one parsed model into a program: inputs, then nodes in order, then outputs.
/// The model's weights are moved out of it.
class GraphImporter {
 public:
  GraphImporter(proto::Model& model, FunctionLibrary functions, ExternalData external,
                std::string source);

  [[nodiscard]] Result<Program> run();

 private:
  /// Values by name. An initialiser becomes a constant of the program when a node first reads it.
  struct Scope {
    std::unordered_map<std::string, Operand> values;
    std::unordered_map<std::string, proto::Tensor*> initialisers;
    const OperatorSets* operator_sets = nullptr;
    const std::unordered_set<std::string_view>* reads = nullptr;  // names that somebody reads
    const Attributes* attributes = nullptr;  // of the call whose body this is, null in the graph
    std::string place;  // "node 'layer' (Encoder) / " in a function, else empty
    int depth = 0;
  };

  Status collect_initialisers();
  Status add_inputs();
  Status add_input(const proto::ValueInfo& info);
  Result<InputDeclaration> declare(const proto::ValueInfo& info);
  Status add_nodes(Scope& scope, NodeList& nodes);
  Status add_node(Scope& scope, proto::Node& node);
  Status convert_node(Scope& scope, proto::Node& node);
  Status call_function(Scope& scope, proto::Node& node, const Function& function);
  Status add_outputs();
  Result<Operand> find_value(Scope& scope, const std::string& name);
  Result<std::vector<Operand>> find_inputs(Scope& scope, const proto::Node& node);
  Status define(Scope& scope, const std::string& name, const Operand& value);
  std::string unused_symbol(const std::string& input, int axis) const;

  proto::Model& model_;
  FunctionLibrary functions_;
  OperatorSets operator_sets_;
  TensorReader tensors_;
  Emitter emitter_;
  Scope graph_;
  std::unordered_set<std::string> symbol_names_;
  std::int64_t inlined_nodes_ = 0;
};

}  // namespace pliant::onnx
