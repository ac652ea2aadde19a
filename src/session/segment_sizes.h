#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/graph.h"
#include "shapes/signature.h"

namespace pliant::session {

/// The sizes of a segment's tensors at one signature.
class SegmentSizes {
 public:
  /// The graph must outlive this.
  SegmentSizes(const plan::Graph& graph, shapes::Signature signature);

  /// The shape of a value; empty when it cannot be computed or is too large to exist.
  [[nodiscard]] std::optional<Shape> shape(int value) const;

  /// About how many operations one execution takes: multiplications and additions of products, and
  /// 16 for each element that is read or written, for its memory. Empty as shape() is.
  [[nodiscard]] std::optional<double> cost() const;

 private:
  const plan::Graph& graph_;
  std::vector<std::int64_t> symbols_;  ///< of the expression pool
};

}  // namespace pliant::session
