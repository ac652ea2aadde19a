#include "support/onnx_model.h"

#include <cstring>

namespace pliant::testing {
namespace {

template <class T>
std::string raw_bytes(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  return bytes;
}

std::uint64_t wire(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

// AttributeProto's fields and its `type` for each kind of value.
struct AttributeWriter {
  WireWriter& writer;
  void operator()(std::int64_t value) const { writer.integer(3, wire(value)).integer(20, 2); }
  void operator()(float value) const { writer.real(2, value).integer(20, 1); }
  void operator()(const std::string& value) const { writer.bytes(4, value).integer(20, 3); }
  void operator()(const OnnxAttribute::Numbers& values) const {
    for (const std::int64_t value : values) {
      writer.integer(8, wire(value));
    }
    writer.integer(20, 7);
  }
  void operator()(const OnnxTensor& value) const {
    writer.bytes(5, value.message("")).integer(20, 4);
  }
};

std::string value_info(std::string_view name, const WireWriter& tensor_type) {
  WireWriter type;
  type.bytes(1, tensor_type.result());
  WireWriter info;
  info.bytes(1, name).bytes(2, type.result());
  return info.result();
}

std::string operator_set_message(std::string_view domain, int version) {
  WireWriter set;
  set.bytes(1, domain).integer(2, wire(version));
  return set.result();
}

}  // namespace

OnnxTensor OnnxTensor::f32(std::vector<std::int64_t> shape, const std::vector<float>& values) {
  return {1, std::move(shape), raw_bytes(values)};
}

OnnxTensor OnnxTensor::i64(std::vector<std::int64_t> shape,
                           const std::vector<std::int64_t>& values) {
  return {7, std::move(shape), raw_bytes(values)};
}

std::string OnnxTensor::message(std::string_view name) const {
  WireWriter tensor;
  for (const std::int64_t extent : shape) {
    tensor.integer(1, wire(extent));
  }
  tensor.integer(2, wire(type)).bytes(8, name).bytes(9, raw);
  return tensor.result();
}

std::string OnnxAttribute::message() const {
  WireWriter attribute;
  attribute.bytes(1, name);
  if (reference.empty()) {
    std::visit(AttributeWriter{attribute}, value);
  } else {
    attribute.bytes(21, reference);
  }
  return attribute.result();
}

OnnxModel& OnnxModel::input(std::string_view name, std::vector<OnnxDimension> shape, int type) {
  WireWriter dimensions;
  for (const OnnxDimension& dimension : shape) {
    WireWriter field;
    if (const auto* number = std::get_if<std::int64_t>(&dimension)) {
      field.integer(1, wire(*number));
    } else {
      field.bytes(2, std::get<std::string>(dimension));
    }
    dimensions.bytes(1, field.result());
  }
  WireWriter tensor_type;
  tensor_type.integer(1, wire(type)).bytes(2, dimensions.result());
  return graph_field(11, value_info(name, tensor_type));
}

OnnxModel& OnnxModel::input_of_any_rank(std::string_view name, int type) {
  WireWriter tensor_type;
  tensor_type.integer(1, wire(type));
  return graph_field(11, value_info(name, tensor_type));
}

OnnxModel& OnnxModel::output(std::string_view name) {
  WireWriter info;
  info.bytes(1, name);
  return graph_field(12, info.result());
}

OnnxModel& OnnxModel::initialiser(std::string_view name, const OnnxTensor& tensor) {
  return graph_field(5, tensor.message(name));
}

OnnxModel& OnnxModel::initialiser_message(std::string_view message) {
  return graph_field(5, message);
}

OnnxModel& OnnxModel::node(std::string_view op, const std::vector<std::string>& inputs,
                           const std::vector<std::string>& outputs,
                           const std::vector<OnnxAttribute>& attributes, std::string_view domain,
                           std::string_view name) {
  WireWriter node;
  for (const std::string& input : inputs) {
    node.bytes(1, input);
  }
  for (const std::string& output : outputs) {
    node.bytes(2, output);
  }
  node.bytes(3, name).bytes(4, op).bytes(7, domain);
  for (const OnnxAttribute& attribute : attributes) {
    node.bytes(5, attribute.message());
  }
  nodes_.push_back(node.result());
  return *this;
}

OnnxModel& OnnxModel::operator_set(std::string_view domain, int version) {
  return model_field(8, operator_set_message(domain, version));
}

OnnxModel& OnnxModel::function(std::string_view domain, std::string_view name,
                               const std::vector<std::string>& inputs,
                               const std::vector<std::string>& outputs, const OnnxModel& body) {
  WireWriter function;
  function.bytes(1, name).bytes(10, domain);
  for (const std::string& input : inputs) {
    function.bytes(4, input);
  }
  for (const std::string& output : outputs) {
    function.bytes(5, output);
  }
  for (const std::string& node : body.nodes_) {
    function.bytes(7, node);
  }
  function.bytes(9, operator_set_message("", body.opset_))
      .bytes(9, operator_set_message(domain, 1));
  return model_field(25, function.result());
}

OnnxModel& OnnxModel::graph_field(int number, std::string_view bytes) {
  graph_.bytes(number, bytes);
  return *this;
}

OnnxModel& OnnxModel::model_field(int number, std::string_view bytes) {
  model_.bytes(number, bytes);
  return *this;
}

std::string OnnxModel::bytes() const {
  WireWriter graph = graph_;
  for (const std::string& node : nodes_) {
    graph.bytes(1, node);
  }
  WireWriter model = model_;
  model.integer(1, wire(ir_version_))
      .bytes(8, operator_set_message("", opset_))
      .bytes(7, graph.result());
  return model.result();
}

}  // namespace pliant::testing
