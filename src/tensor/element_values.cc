#include "tensor/element_values.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "base/check.h"
#include "base/half.h"
#include "tensor/dtype.h"

namespace pliant {
namespace {

/// Calls `visit` with the offset in elements of each index in row-major order.
template <class Visitor>
void for_each_offset(const TensorView& view, Visitor&& visit) {
  const std::int64_t count = view.element_count();
  if (view.shape.size() <= 1) {
    const std::int64_t stride = view.shape.empty() ? 0 : view.strides[0];
    for (std::int64_t i = 0; i < count; ++i) {
      visit(i * stride);
    }
    return;
  }
  Shape index(view.shape.size(), 0);
  std::int64_t offset = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    visit(offset);
    for (std::size_t axis = view.shape.size(); axis-- > 0;) {
      offset += view.strides[axis];
      if (++index[axis] < view.shape[axis]) {
        break;
      }
      offset -= view.strides[axis] * view.shape[axis];
      index[axis] = 0;
    }
  }
}

template <class T>
constexpr bool kIsHalf = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

template <class T>
std::int64_t as_integer(T value) {
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    return static_cast<std::int64_t>(
        std::min(value, static_cast<T>(std::numeric_limits<std::int64_t>::max())));
  } else {
    return static_cast<std::int64_t>(value);
  }
}

}  // namespace

bool holds_integers(DType dtype) {
  return !is_float(dtype);
}

void for_each_integer(const TensorView& view, FunctionRef<void(std::int64_t)> visit) {
  PLIANT_CHECK(holds_integers(view.dtype));
  visit_dtype(view.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!kIsHalf<T> && !std::is_floating_point_v<T>) {
      for_each_offset(view,
                      [&](std::int64_t offset) { visit(as_integer(view.as<const T>()[offset])); });
    }
  });
}

void for_each_real(const TensorView& view, FunctionRef<void(double)> visit) {
  visit_dtype(view.dtype, [&](auto zero) {
    using T = decltype(zero);
    for_each_offset(view, [&](std::int64_t offset) {
      const T value = view.as<const T>()[offset];
      if constexpr (kIsHalf<T>) {
        visit(static_cast<double>(to_float(value)));
      } else {
        visit(static_cast<double>(value));
      }
    });
  });
}

}  // namespace pliant
