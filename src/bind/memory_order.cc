#include "bind/memory_order.h"

#include <algorithm>
#include <span>

namespace pliant::bind {

std::optional<AxisOrder> memory_order(const TensorView& view) {
  AxisOrder order;
  for (int axis = 0; axis < view.rank(); ++axis) {
    order.push_back(axis);
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return view.strides[static_cast<std::size_t>(a)] > view.strides[static_cast<std::size_t>(b)];
  });
  return follows(view, order) ? std::optional(order) : std::nullopt;
}

bool follows(const TensorView& view, const AxisOrder& order) {
  const Strides dense = permuted_strides(view.shape, std::span(order.data(), order.size()));
  for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
    if (view.shape[axis] > 1 && view.strides[axis] != dense[axis]) {
      return false;
    }
  }
  return true;
}

}  // namespace pliant::bind
