#include "kernels/selection/reference.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <vector>

#include "base/half.h"
#include "kernels/gather/reference.h"
#include "kernels/movement/element_offset.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

/// Small floats as f32; other elements as they are, so that 64 bits compare exactly.
template <class T>
auto number(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return to_float(value);
  } else {
    return value;
  }
}

template <class T>
void top_k_of_row(const TopKArguments& arguments, std::int64_t x_offset,
                  std::int64_t target_offset) {
  const T* x = static_cast<const T*>(arguments.x) + x_offset;
  const auto comes_before = [&](std::int64_t i, std::int64_t j) {
    const auto a = number(x[i * arguments.x_stride]);
    const auto b = number(x[j * arguments.x_stride]);
    const bool a_is_nan = a != a;
    const bool b_is_nan = b != b;
    return arguments.order == TopKOrder::kLargest ? !b_is_nan && (a_is_nan || a > b)
                                                  : !a_is_nan && (b_is_nan || a < b);
  };
  std::vector<std::int64_t> order(static_cast<std::size_t>(arguments.extent));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), comes_before);
  for (std::int64_t j = 0; j < arguments.k; ++j) {
    const std::int64_t best = order[static_cast<std::size_t>(j)];
    const std::int64_t place = target_offset + j * arguments.target_stride;
    if (arguments.values != nullptr) {
      std::memcpy(static_cast<T*>(arguments.values) + place, x + best * arguments.x_stride,
                  sizeof(T));
    }
    if (arguments.indices != nullptr) {
      arguments.indices[place] = best;
    }
  }
}

/// Lowest and highest coordinate of a box along the axis of x (0) or y (1).
struct Side {
  float low;
  float high;
};
Side side_of(const float* box, BoxForm form, int axis) {
  if (form == BoxForm::kCenter) {
    return {box[axis] - box[2 + axis] / 2, box[axis] + box[2 + axis] / 2};
  }
  return {std::min(box[1 - axis], box[3 - axis]), std::max(box[1 - axis], box[3 - axis])};
}

bool overlap_too_much(const NonMaxSuppressionArguments& arguments, const float* a, const float* b) {
  float areas[2] = {1, 1};
  float common = 1;
  for (const int axis : {1, 0}) {
    const Side of_a = side_of(a, arguments.form, axis);
    const Side of_b = side_of(b, arguments.form, axis);
    areas[0] *= of_a.high - of_a.low;
    areas[1] *= of_b.high - of_b.low;
    common *= std::max(0.0f, std::min(of_a.high, of_b.high) - std::max(of_a.low, of_b.low));
  }
  return areas[0] > 0 && areas[1] > 0 && common > 0 &&
         common / (areas[0] + areas[1] - common) > arguments.overlap;
}

std::vector<std::int64_t> kept_boxes(const NonMaxSuppressionArguments& arguments,
                                     const float* boxes, const float* scores) {
  std::vector<bool> is_left(static_cast<std::size_t>(arguments.box_count), true);
  std::vector<std::int64_t> kept;
  while (static_cast<std::int64_t>(kept.size()) < arguments.limit) {
    std::int64_t best = -1;
    for (std::int64_t i = 0; i < arguments.box_count; ++i) {
      const bool counts =
          arguments.has_threshold ? scores[i] > arguments.threshold : scores[i] == scores[i];
      if (counts && is_left[static_cast<std::size_t>(i)] &&
          (best < 0 || scores[i] > scores[best])) {
        best = i;
      }
    }
    if (best < 0) {
      break;
    }
    kept.push_back(best);
    for (std::int64_t i = 0; i < arguments.box_count; ++i) {
      if (i == best || overlap_too_much(arguments, boxes + i * 4, boxes + best * 4)) {
        is_left[static_cast<std::size_t>(i)] = false;
      }
    }
  }
  return kept;
}

}  // namespace

void run_reference(const CompressArguments& arguments) {
  std::vector<std::int64_t> positions;
  for (std::int64_t i = 0; i < arguments.condition_count; ++i) {
    if (arguments.condition[i * arguments.condition_stride]) {
      positions.push_back(i);
    }
  }
  GatherArguments gather = arguments.gather;
  gather.indices = positions.data();
  run_reference(gather);
}

void run_reference(const NonZeroArguments& arguments) {
  const TensorView& x = arguments.x;
  std::int64_t found = 0;
  visit_dtype(x.dtype, [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; i < x.element_count(); ++i) {
      if (number(x.as<T>()[element_offset(x.shape, x.strides, i)]) != number(zero)) {
        for (std::size_t axis = 0; axis < x.shape.size(); ++axis) {
          arguments.target[static_cast<std::int64_t>(axis) * arguments.found + found] =
              index_along(x.shape, axis, i);
        }
        ++found;
      }
    }
  });
}

void run_reference(const TopKArguments& arguments) {
  visit_dtype(arguments.dtype, [&](auto zero) {
    for (std::int64_t row = 0; row < element_count(arguments.rows); ++row) {
      top_k_of_row<decltype(zero)>(arguments,
                                   element_offset(arguments.rows, arguments.x_strides, row),
                                   element_offset(arguments.rows, arguments.target_strides, row));
    }
  });
}

void run_reference(const NonMaxSuppressionArguments& arguments) {
  std::int64_t* target = arguments.target;
  for (std::int64_t row = 0; row < arguments.batch * arguments.classes; ++row) {
    const std::int64_t batch = row / arguments.classes;
    for (const std::int64_t box :
         kept_boxes(arguments, arguments.boxes + batch * arguments.box_count * 4,
                    arguments.scores + row * arguments.box_count)) {
      for (const std::int64_t entry : {batch, row % arguments.classes, box}) {
        *target++ = entry;
      }
    }
  }
}

}  // namespace pliant::kernels
