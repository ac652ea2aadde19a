#pragma once

#include <vector>

#include "base/result.h"
#include "onnx/onnx.pb.h"

namespace pliant::onnx {

using NodeList = google::protobuf::RepeatedPtrField<proto::Node>;

/// Positions of the nodes in an order in which each comes after those that it reads from: the
/// file's order where that does already, and else as close to it as a depth-first walk comes.
///
/// Errors: kCorrupt for two nodes that write one name, and for cycles. Names that no node writes
/// are left to the caller. Takes time linear in the number of names.
[[nodiscard]] Result<std::vector<int>> order_nodes(const NodeList& nodes);

/// "node 'conv1' (Conv)", or by its first output where it has no name.
[[nodiscard]] std::string describe(const proto::Node& node);

}  // namespace pliant::onnx
