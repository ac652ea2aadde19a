#include "tensor/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/checked_math.h"

namespace pliant {
namespace {

bool is_empty(const Shape& shape) {
  return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

/// The stride outside an axis of this extent. Only the other extents of an empty tensor can be so
/// large that it overflows; nobody will use it then.
std::int64_t outer_stride(std::int64_t stride, std::int64_t extent) {
  return checked_multiply(stride, std::max<std::int64_t>(extent, 1)).value_or(0);
}

}  // namespace

std::optional<std::int64_t> checked_element_count(const Shape& shape) {
  // A zero anywhere makes the tensor empty, whatever the others multiply to.
  if (is_empty(shape)) {
    return 0;
  }
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    const auto product = checked_multiply(count, extent);
    if (!product) {
      return std::nullopt;
    }
    count = *product;
  }
  return count;
}

std::int64_t element_count(const Shape& shape) {
  if (is_empty(shape)) {
    return 0;
  }
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    count *= extent;
  }
  return count;
}

Strides contiguous_strides(const Shape& shape) {
  Strides strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) {
    strides[i - 1] = outer_stride(strides[i], shape[i]);
  }
  return strides;
}

Strides permuted_strides(const Shape& shape, std::span<const int> order) {
  PLIANT_CHECK_EQ(shape.size(), order.size());
  Strides strides(shape.size(), 1);
  std::int64_t step = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    const auto axis = static_cast<std::size_t>(order[i]);
    strides[axis] = step;
    step = outer_stride(step, shape[axis]);
  }
  return strides;
}

bool is_contiguous(const Shape& shape, const Strides& strides) {
  if (is_empty(shape)) {
    return true;
  }
  std::int64_t step = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && strides[i] != step) {
      return false;
    }
    step *= shape[i];
  }
  return true;
}

bool is_dense(const Shape& shape, const Strides& strides) {
  std::array<std::size_t, kMaxRank> axes{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) {
      return true;
    }
    if (shape[i] != 1) {
      axes[count++] = i;
    }
  }
  // Not std::sort: g++ 12 warns about its constant for larger arrays than this one.
  std::stable_sort(axes.begin(), axes.begin() + count,
                   [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
  std::int64_t step = 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (strides[axes[i]] != step) {
      return false;
    }
    step *= shape[axes[i]];
  }
  return true;
}

std::string to_string(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace pliant
