#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "base/result.h"
#include "onnx/onnx.pb.h"

namespace pliant::onnx {

/// Versions of operator domains, as a graph or a function declares them.
class OperatorSets {
 public:
  OperatorSets() = default;
  explicit OperatorSets(const google::protobuf::RepeatedPtrField<proto::OperatorSet>& declared);

  /// Version of a domain; 0 when it is not declared. "ai.onnx" is the default domain's other name.
  [[nodiscard]] std::int64_t version(const std::string& domain) const;

 private:
  std::map<std::string, std::int64_t> versions_;
};

/// A model-local function, whose body stands in for a node.
struct Function {
  proto::Function* definition = nullptr;
  OperatorSets operator_sets;
};

/// The functions of a model by domain, name and overload.
class FunctionLibrary {
 public:
  /// Error: kCorrupt for two functions with one name.
  [[nodiscard]] static Result<FunctionLibrary> create(proto::Model& model);

  /// The function that a node calls, or null.
  [[nodiscard]] const Function* find(const proto::Node& node) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, Function> functions_;
};

}  // namespace pliant::onnx
