#include "bind/reshape_strides.h"

#include <algorithm>

namespace pliant::bind {
namespace {

/// The axes that say where elements are: those whose extent is not 1.
struct LongAxes {
  Shape shape;
  Strides strides;
};

LongAxes long_axes(const Shape& shape, const Strides& strides) {
  LongAxes result;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) {
      result.shape.push_back(shape[i]);
      result.strides.push_back(strides[i]);
    }
  }
  return result;
}

}  // namespace

std::optional<Strides> reshape_strides(const Shape& from, const Strides& from_strides,
                                       const Shape& to) {
  if (std::find(to.begin(), to.end(), 0) != to.end()) {
    return contiguous_strides(to);
  }
  const LongAxes source = long_axes(from, from_strides);
  Strides result(to.size(), 1);
  // From the inside out: a run of source axes and a run of target axes with the same product.
  std::size_t source_end = source.shape.size();
  std::size_t target_end = to.size();
  while (target_end > 0) {
    if (to[target_end - 1] == 1) {
      --target_end;
      continue;
    }
    std::size_t source_begin = source_end - 1;
    std::size_t target_begin = target_end - 1;
    std::int64_t source_count = source.shape[source_begin];
    std::int64_t target_count = to[target_begin];
    while (source_count != target_count) {
      if (source_count < target_count) {
        --source_begin;
        if (source.strides[source_begin] !=
            source.strides[source_begin + 1] * source.shape[source_begin + 1]) {
          return std::nullopt;
        }
        source_count *= source.shape[source_begin];
      } else {
        target_count *= to[--target_begin];
      }
    }
    std::int64_t stride = source.strides[source_end - 1];
    for (std::size_t i = target_end; i > target_begin; --i) {
      result[i - 1] = stride;
      stride *= to[i - 1];
    }
    source_end = source_begin;
    target_end = target_begin;
  }
  return result;
}

}  // namespace pliant::bind
