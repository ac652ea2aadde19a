#pragma once

#include <string_view>

#include "onnx/onnx.pb.h"
#include "onnx/tensor_data.h"

namespace pliant::onnx {

/// The attributes of a node, seen from inside the functions that it was called through.
class Attributes {
 public:
  /// `caller` are the attributes of the call whose function body holds the node, null in a graph.
  Attributes(proto::Node& node, const Attributes* caller, TensorReader& tensors)
      : node_(&node), caller_(caller), tensors_(&tensors) {}
  /// Attributes of a call as the body of `function` sees them: those of the call, else defaults.
  Attributes(const Attributes& call, proto::Function& function)
      : node_(call.node_), caller_(call.caller_), tensors_(call.tensors_), defaults_(&function) {}

  /// The attribute with this name, references resolved; null when it is not there.
  [[nodiscard]] proto::Attribute* find(std::string_view name) const;
  [[nodiscard]] TensorReader& tensors() const { return *tensors_; }

 private:
  proto::Node* node_;
  const Attributes* caller_;
  TensorReader* tensors_;
  proto::Function* defaults_ = nullptr;
};

}  // namespace pliant::onnx
