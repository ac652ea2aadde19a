#include "onnx/function_library.h"

namespace pliant::onnx {
namespace {

std::string plain_domain(const std::string& domain) {
  return domain == "ai.onnx" ? std::string() : domain;
}

}  // namespace

OperatorSets::OperatorSets(const google::protobuf::RepeatedPtrField<proto::OperatorSet>& declared) {
  for (const proto::OperatorSet& set : declared) {
    versions_[plain_domain(set.domain())] = set.version();
  }
}

std::int64_t OperatorSets::version(const std::string& domain) const {
  const auto found = versions_.find(plain_domain(domain));
  return found == versions_.end() ? 0 : found->second;
}

Result<FunctionLibrary> FunctionLibrary::create(proto::Model& model) {
  FunctionLibrary library;
  for (proto::Function& function : *model.mutable_functions()) {
    Function entry{&function, OperatorSets(function.opset_import())};
    const Key key{plain_domain(function.domain()), function.name(), function.overload()};
    if (!library.functions_.emplace(key, std::move(entry)).second) {
      return make_error(ErrorCode::kCorrupt, "two functions have one name: '{}'", function.name());
    }
  }
  return library;
}

const Function* FunctionLibrary::find(const proto::Node& node) const {
  if (functions_.empty()) {
    return nullptr;
  }
  const auto found =
      functions_.find(Key{plain_domain(node.domain()), node.op_type(), node.overload()});
  return found == functions_.end() ? nullptr : &found->second;
}

}  // namespace pliant::onnx
