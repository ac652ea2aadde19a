#pragma once

#include <cstdint>

#include "tensor/shape.h"

namespace pliant::kernels {

/// How index tuples lie in memory and what their components mean: component c of a tuple is an
/// index into an axis of `extents[c]` elements, `strides[c]` apart. Checked before a kernel runs.
struct IndexTuple {
  Shape extents;
  Strides strides;                    ///< in elements of the indexed tensor
  std::int64_t component_stride = 1;  ///< in indices
};

/// Offset of what the tuple at `indices` points to; negative indices count from the end.
template <class Index>
std::int64_t tuple_offset(const Index* indices, const IndexTuple& tuple) {
  std::int64_t offset = 0;
  for (std::size_t c = 0; c < tuple.extents.size(); ++c) {
    const auto index =
        static_cast<std::int64_t>(indices[static_cast<std::int64_t>(c) * tuple.component_stride]);
    offset += (index < 0 ? index + tuple.extents[c] : index) * tuple.strides[c];
  }
  return offset;
}

}  // namespace pliant::kernels
