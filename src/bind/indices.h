#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "bind/axis_position.h"
#include "bind/bind_context.h"

namespace pliant::bind {

/// Error unless every element of an index tensor is in -extent..extent-1.
[[nodiscard]] Status check_indices(const BindContext& context, const TensorView& indices,
                                   std::int64_t extent, std::size_t axis);

/// The same for a row whose operand `indices` counts along the axis of its x.
template <class Row>
[[nodiscard]] Status check_indices_along_axis(const BindContext& context) {
  const TensorView& x = context.input(Row::x);
  const std::size_t axis = axis_position(context.integer(Row::axis), x.shape.size());
  return check_indices(context, context.input(Row::indices), x.shape[axis], axis);
}

/// The same for tuples in the last axis: component c indexes axis first_axis + c of `shape`.
[[nodiscard]] Status check_index_tuples(const BindContext& context, const TensorView& indices,
                                        const Shape& shape, std::size_t first_axis);

}  // namespace pliant::bind
