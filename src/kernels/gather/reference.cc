#include "kernels/gather/reference.h"

#include <cstring>
#include <map>
#include <type_traits>

#include "base/half.h"
#include "kernels/movement/element_offset.h"
#include "kernels/movement/reference.h"

namespace pliant::kernels {
namespace {

/// Offset that the tuple at number `first` of the indices means.
std::int64_t indexed_offset(const IndexTuple& tuple, const void* indices, std::int64_t index_size,
                            std::int64_t first) {
  std::int64_t offset = 0;
  for (std::size_t c = 0; c < tuple.extents.size(); ++c) {
    const std::int64_t at = first + static_cast<std::int64_t>(c) * tuple.component_stride;
    std::int64_t index = index_size == 4 ? static_cast<const std::int32_t*>(indices)[at]
                                         : static_cast<const std::int64_t*>(indices)[at];
    if (index < 0) {
      index += tuple.extents[c];
    }
    offset += index * tuple.strides[c];
  }
  return offset;
}

template <class T>
constexpr bool kIsSmallFloat = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

template <class T>
T combined(UpdateRule rule, T a, T b) {
  if (rule == UpdateRule::kMaximum || rule == UpdateRule::kMinimum) {
    const bool second = rule == UpdateRule::kMaximum ? b >= a : b <= a;
    return second || b != b ? (a != a ? a : b) : a;
  }
  const bool adds = rule == UpdateRule::kAdd;
  if constexpr (std::is_same_v<T, bool>) {
    return adds ? a || b : a && b;
  } else if constexpr (std::is_integral_v<T>) {
    const auto wide_a = static_cast<std::uint64_t>(a);
    const auto wide_b = static_cast<std::uint64_t>(b);
    return static_cast<T>(adds ? wide_a + wide_b : wide_a * wide_b);
  } else {
    return adds ? a + b : a * b;
  }
}

template <class T>
void apply_updates_to(const ScatterArguments& arguments, UpdateRule rule) {
  using Wide = std::conditional_t<kIsSmallFloat<T>, float, T>;
  const auto widened = [](T value) {
    if constexpr (kIsSmallFloat<T>) {
      return to_float(value);
    } else {
      return value;
    }
  };
  T* target = static_cast<T*>(arguments.copy.target);
  const ScatterAxes& ordered = arguments.ordered;
  const ScatterAxes& columns = arguments.independent;
  std::map<std::int64_t, Wide> reached;  // by offset in the target
  for (std::int64_t i = 0; i < element_count(ordered.shape); ++i) {
    for (std::int64_t j = 0; j < element_count(columns.shape); ++j) {
      const auto offset = [&](const Strides ScatterAxes::*strides) {
        return element_offset(ordered.shape, ordered.*strides, i) +
               element_offset(columns.shape, columns.*strides, j);
      };
      const std::int64_t at = offset(&ScatterAxes::target) +
                              indexed_offset(arguments.tuple, arguments.indices,
                                             arguments.index_size, offset(&ScatterAxes::indices));
      const T update = static_cast<const T*>(arguments.updates)[offset(&ScatterAxes::updates)];
      if (rule == UpdateRule::kReplace) {
        std::memcpy(target + at, &update, sizeof update);
        continue;
      }
      Wide& element = reached.try_emplace(at, widened(target[at])).first->second;
      element = combined<Wide>(rule, element, widened(update));
    }
  }
  for (const auto& [at, value] : reached) {
    if constexpr (std::is_same_v<T, Half>) {
      target[at] = to_half(value);
    } else if constexpr (std::is_same_v<T, BFloat16>) {
      target[at] = to_bfloat16(value);
    } else {
      target[at] = value;
    }
  }
}

}  // namespace

void run_reference(const GatherArguments& arguments) {
  const std::int64_t size = arguments.element_size;
  for (std::int64_t line = 0; line < element_count(arguments.shape); ++line) {
    const std::int64_t from =
        element_offset(arguments.shape, arguments.x_strides, line) +
        indexed_offset(arguments.tuple, arguments.indices, arguments.index_size,
                       element_offset(arguments.shape, arguments.index_strides, line));
    for (std::int64_t j = 0; j < arguments.length; ++j) {
      std::memcpy(
          static_cast<std::byte*>(arguments.target) + (line * arguments.length + j) * size,
          static_cast<const std::byte*>(arguments.x) + (from + j * arguments.line_stride) * size,
          static_cast<std::size_t>(size));
    }
  }
}

void run_reference(const ScatterArguments& arguments, DType dtype, UpdateRule rule) {
  run_reference(arguments.copy);
  visit_dtype(dtype, [&](auto zero) { apply_updates_to<decltype(zero)>(arguments, rule); });
}

}  // namespace pliant::kernels
