#include "bind/indices.h"

#include <algorithm>
#include <optional>

#include "kernels/movement/index_walk.h"
#include "kernels/movement/merge_axes.h"

namespace pliant::bind {
namespace {

/// The first of `count` indices that is outside, looked for only after one pass found that there is
/// one.
template <class Index>
std::optional<std::int64_t> outside(const Index* indices, std::int64_t stride, std::int64_t count,
                                    std::int64_t extent) {
  Index lowest = 0;
  Index highest = 0;
  if (stride == 1) {
    for (std::int64_t i = 0; i < count; ++i) {
      lowest = std::min(lowest, indices[i]);
      highest = std::max(highest, indices[i]);
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      lowest = std::min(lowest, indices[i * stride]);
      highest = std::max(highest, indices[i * stride]);
    }
  }
  if (extent > 0 && lowest >= -extent && highest < extent) {
    return std::nullopt;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<std::int64_t>(indices[i * stride]);
    if (index < -extent || index >= extent) {
      return index;
    }
  }
  return std::nullopt;
}

template <class Index>
std::optional<std::int64_t> outside(TensorView view, std::int64_t extent) {
  if (view.element_count() == 0) {
    return std::nullopt;
  }
  kernels::merge_axes(view.shape, {&view.strides});
  const std::int64_t row = view.shape.back();
  const std::int64_t stride = view.strides.back();
  view.shape.erase_at(view.shape.size() - 1);
  view.strides.erase_at(view.strides.size() - 1);
  kernels::IndexWalk<1> walk(view.shape, {view.strides}, 0);
  const std::int64_t rows = view.element_count();
  for (std::int64_t i = 0; i < rows; ++i) {
    if (const auto index = outside(view.as<Index>() + walk.offset(0), stride, row, extent)) {
      return index;
    }
    walk.next();
  }
  return std::nullopt;
}

}  // namespace

Status check_indices(const BindContext& context, const TensorView& indices, std::int64_t extent,
                     std::size_t axis) {
  const auto index = indices.dtype == DType::kI32 ? outside<std::int32_t>(indices, extent)
                                                  : outside<std::int64_t>(indices, extent);
  if (!index) {
    return {};
  }
  const std::string_view mnemonic = isa::info(context.opcode()).mnemonic;
  if (extent == 0) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: index {} into axis {} of x, which has no element", mnemonic, *index,
                      axis);
  }
  return make_error(ErrorCode::kInvalidArgument, "{}: index {} is outside -{}..{} of axis {} of x",
                    mnemonic, *index, extent, extent - 1, axis);
}

Status check_index_tuples(const BindContext& context, const TensorView& indices, const Shape& shape,
                          std::size_t first_axis) {
  const std::int64_t components = indices.shape.back();
  const std::int64_t stride = indices.strides.back();
  TensorView component = indices;
  component.shape.erase_at(component.shape.size() - 1);
  component.strides.erase_at(component.strides.size() - 1);
  const auto index_size = static_cast<std::int64_t>(byte_size(indices.dtype));
  for (std::int64_t c = 0; c < components; ++c) {
    if (indices.data != nullptr) {
      component.data = static_cast<std::byte*>(indices.data) + c * stride * index_size;
    }
    const std::size_t axis = first_axis + static_cast<std::size_t>(c);
    PLIANT_RETURN_IF_ERROR(check_indices(context, component, shape[axis], axis));
  }
  return {};
}

}  // namespace pliant::bind
