#include "kernels/movement/reference.h"

#include <cstring>

#include "kernels/movement/element_offset.h"

namespace pliant::kernels {
namespace {

/// target[i] = source[from]; a null source stands for zero.
void move_element(void* target, std::int64_t i, const void* source, std::int64_t from,
                  std::int64_t size) {
  auto* place = static_cast<std::byte*>(target) + i * size;
  if (source == nullptr) {
    std::memset(place, 0, static_cast<std::size_t>(size));
  } else {
    std::memcpy(place, static_cast<const std::byte*>(source) + from * size,
                static_cast<std::size_t>(size));
  }
}

template <class Arguments, class StridesOf>
void concat(const Arguments& arguments, StridesOf strides_of) {
  const std::size_t axis = arguments.axis;
  for (std::int64_t i = 0; i < element_count(arguments.shape); ++i) {
    std::int64_t index = index_along(arguments.shape, axis, i);
    std::size_t part = 0;
    while (index >= arguments.parts[part].extent) {
      index -= arguments.parts[part++].extent;
    }
    Shape shape = arguments.shape;
    shape[axis] = arguments.parts[part].extent;
    const Strides strides = strides_of(arguments.parts[part], shape);
    std::int64_t from = 0;
    for (std::size_t a = 0; a < shape.size(); ++a) {
      from += (a == axis ? index : index_along(arguments.shape, a, i)) * strides[a];
    }
    move_element(arguments.target, element_offset(arguments.shape, arguments.target_strides, i),
                 arguments.parts[part].data, from, arguments.element_size);
  }
}

/// Position among the `count` elements of x that the axis shows, or -1 for the constant.
std::int64_t shown_position(BorderRule rule, std::int64_t position, std::int64_t count) {
  if (position >= 0 && position < count) {
    return position;
  }
  switch (rule) {
    case BorderRule::kConstant:
      return -1;
    case BorderRule::kReflect:
      return position < 0 ? -position : 2 * (count - 1) - position;
    case BorderRule::kEdge:
      return position < 0 ? 0 : count - 1;
    case BorderRule::kWrap:
      return (position % count + count) % count;
  }
  __builtin_unreachable();
}

}  // namespace

void run_reference(const CopyArguments& arguments) {
  for (std::int64_t i = 0; i < element_count(arguments.shape); ++i) {
    move_element(arguments.target, element_offset(arguments.shape, arguments.target_strides, i),
                 arguments.source, element_offset(arguments.shape, arguments.source_strides, i),
                 arguments.element_size);
  }
}

void run_reference(const ConcatFewArguments& arguments) {
  concat(arguments, [](const auto& part, const Shape&) { return part.strides; });
}

void run_reference(const ConcatManyArguments& arguments) {
  concat(arguments, [](const auto&, const Shape& shape) { return contiguous_strides(shape); });
}

void run_reference(const PadArguments& arguments) {
  for (std::int64_t i = 0; i < element_count(arguments.shape); ++i) {
    bool is_constant = false;
    std::int64_t from = 0;
    for (std::size_t axis = 0; axis < arguments.shape.size(); ++axis) {
      const PaddedAxis& padded = arguments.axes[axis];
      const std::int64_t position = shown_position(
          arguments.rule, index_along(arguments.shape, axis, i) - padded.before, padded.count);
      is_constant = is_constant || position < 0;
      from += (padded.first + position) * arguments.x_strides[axis];
    }
    move_element(arguments.target, i, is_constant ? arguments.value : arguments.x,
                 is_constant ? 0 : from, arguments.element_size);
  }
}

void run_reference(const TileArguments& arguments) {
  Shape shape = arguments.shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    shape[axis] *= arguments.repeats[axis];
  }
  for (std::int64_t i = 0; i < element_count(shape); ++i) {
    std::int64_t from = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      from += index_along(shape, axis, i) % arguments.shape[axis] * arguments.x_strides[axis];
    }
    move_element(arguments.target, i, arguments.x, from, arguments.element_size);
  }
}

void run_reference(const TriangularArguments& arguments) {
  const Shape& shape = arguments.shape;
  for (std::int64_t i = 0; i < element_count(shape); ++i) {
    const std::int64_t distance =
        index_along(shape, shape.size() - 1, i) - index_along(shape, shape.size() - 2, i);
    const bool stays = arguments.side == KeptSide::kUpper ? distance >= arguments.diagonal
                                                          : distance <= arguments.diagonal;
    move_element(arguments.target, i, stays ? arguments.x : nullptr,
                 element_offset(shape, arguments.x_strides, i), arguments.element_size);
  }
}

}  // namespace pliant::kernels
