#include "onnx/attributes.h"

namespace pliant::onnx {

proto::Attribute* Attributes::find(std::string_view name) const {
  for (proto::Attribute& attribute : *node_->mutable_attribute()) {
    if (attribute.name() == name) {
      if (attribute.ref_attr_name().empty()) {
        return &attribute;
      }
      proto::Attribute* referred =
          caller_ != nullptr ? caller_->find(attribute.ref_attr_name()) : nullptr;
      if (referred != nullptr) {
        return referred;
      }
      break;
    }
  }
  if (defaults_ != nullptr) {
    for (proto::Attribute& attribute : *defaults_->mutable_attribute_proto()) {
      if (attribute.name() == name) {
        return &attribute;
      }
    }
  }
  return nullptr;
}

}  // namespace pliant::onnx
