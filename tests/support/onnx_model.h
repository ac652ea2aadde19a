#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "support/protobuf_wire.h"

namespace pliant::testing {

/// A tensor of a model that a test writes; element types have ONNX's numbers.
struct OnnxTensor {
  int type = 1;
  std::vector<std::int64_t> shape;
  std::string raw;

  static OnnxTensor f32(std::vector<std::int64_t> shape, const std::vector<float>& values);
  static OnnxTensor i64(std::vector<std::int64_t> shape, const std::vector<std::int64_t>& values);
  /// As a TensorProto.
  [[nodiscard]] std::string message(std::string_view name) const;
};

/// An attribute: {"axis", 1}, {"alpha", 0.5f}, {"mode", "edge"}, {"axes", {0, 1}}, {"value", tensor}.
struct OnnxAttribute {
  using Numbers = std::vector<std::int64_t>;
  std::string name;
  std::variant<std::int64_t, float, std::string, Numbers, OnnxTensor> value;
  /// Inside a function: the name of the caller's attribute to take, instead of a value.
  std::string reference = {};

  [[nodiscard]] std::string message() const;
};

/// A dimension of an input: a number or a name.
using OnnxDimension = std::variant<std::int64_t, std::string>;

/// Writes a model field by field, right or wrong as the test wants it. It knows nothing of the
/// importer's own reader.
class OnnxModel {
 public:
  explicit OnnxModel(int opset = 17, int ir_version = 8) : opset_(opset), ir_version_(ir_version) {}

  OnnxModel& input(std::string_view name, std::vector<OnnxDimension> shape, int type = 1);
  OnnxModel& input_of_any_rank(std::string_view name, int type = 1);
  OnnxModel& output(std::string_view name);
  OnnxModel& initialiser(std::string_view name, const OnnxTensor& tensor);
  /// A TensorProto as the test made it.
  OnnxModel& initialiser_message(std::string_view message);
  OnnxModel& node(std::string_view op, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs,
                  const std::vector<OnnxAttribute>& attributes = {}, std::string_view domain = "",
                  std::string_view name = "");
  OnnxModel& operator_set(std::string_view domain, int version);
  /// A function whose body are the nodes of `body`; see node().
  OnnxModel& function(std::string_view domain, std::string_view name,
                      const std::vector<std::string>& inputs,
                      const std::vector<std::string>& outputs, const OnnxModel& body);
  /// Any field of the graph or the model.
  OnnxModel& graph_field(int number, std::string_view bytes);
  OnnxModel& model_field(int number, std::string_view bytes);

  [[nodiscard]] std::string bytes() const;

 private:
  int opset_;
  int ir_version_;
  std::vector<std::string> nodes_;
  WireWriter graph_;
  WireWriter model_;
};

}  // namespace pliant::testing
