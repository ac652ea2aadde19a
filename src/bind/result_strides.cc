#include "bind/result_strides.h"

namespace pliant::bind {
namespace {

bool has_memory_order(const TensorView& input, const Shape& shape) {
  if (!(input.shape == shape)) {
    return false;
  }
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] != 1 && input.strides[axis] <= 0) {
      return false;
    }
  }
  return true;
}

}  // namespace

Strides strides_following(const TensorView& input, const Shape& shape) {
  if (!has_memory_order(input, shape)) {
    return contiguous_strides(shape);
  }
  InlineVector<int, kMaxRank> order;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) {
      order.insert_at(0, static_cast<int>(axis));
      continue;
    }
    std::size_t place = order.size();
    while (place > 0) {
      const auto before = static_cast<std::size_t>(order[place - 1]);
      if (shape[before] == 1 || input.strides[before] >= input.strides[axis]) {
        break;
      }
      --place;
    }
    order.insert_at(place, static_cast<int>(axis));
  }
  return permuted_strides(shape, std::span<const int>(order.data(), order.size()));
}

Strides strides_following(std::span<const BindContext::Input> inputs, const Shape& shape) {
  for (const BindContext::Input& input : inputs) {
    if (has_memory_order(input.view, shape)) {
      return strides_following(input.view, shape);
    }
  }
  return contiguous_strides(shape);
}

Strides strides_following(std::span<const TensorView> inputs, const Shape& shape) {
  for (const TensorView& input : inputs) {
    if (has_memory_order(input, shape)) {
      return strides_following(input, shape);
    }
  }
  return contiguous_strides(shape);
}

TensorView broadcast_view(const TensorView& view, const Shape& shape) {
  TensorView result = view;
  result.shape = shape;
  result.strides = Strides(shape.size(), 0);
  if (view.shape.size() > shape.size()) {
    return result;
  }
  const std::size_t missing = shape.size() - view.shape.size();
  for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
    if (view.shape[axis] != 1) {
      result.strides[axis + missing] = view.strides[axis];
    }
  }
  return result;
}

}  // namespace pliant::bind
