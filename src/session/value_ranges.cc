#include "session/value_ranges.h"

#include <algorithm>

#include "shapes/profile_name.h"
#include "tensor/dtype.h"
#include "tensor/element_values.h"

namespace pliant::session {

ValueRanges::ValueRanges(const Program& program)
    : program_(program), ranges_(program.inputs.size()) {}

void ValueRanges::note(std::span<const StoredTensor> inputs) {
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const TensorView& view = inputs[i].view;
    const std::int64_t count = view.element_count();
    if (!is_integer(view.dtype) || count == 0 || count > kMaxElements) {
      continue;
    }
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    for_each_integer(view, [&](std::int64_t value) {
      low = std::min(low, value);
      high = std::max(high, value);
    });
    widen(ranges_[i], low, high);
  }
}

void ValueRanges::widen(const shapes::ValueRange& range) {
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    if (is_integer(program_.inputs[i].dtype) &&
        shapes::profile_name(program_.inputs[i].name) == range.input) {
      widen(ranges_[i], range.low, range.high);
    }
  }
}

std::optional<shapes::Interval> ValueRanges::of(std::size_t input) const {
  const std::int64_t low = ranges_[input].low.load(std::memory_order_relaxed);
  const std::int64_t high = ranges_[input].high.load(std::memory_order_relaxed);
  return low <= high ? std::optional(shapes::Interval{low, high}) : std::nullopt;
}

std::vector<shapes::ValueRange> ValueRanges::all() const {
  std::vector<shapes::ValueRange> all;
  for (std::size_t i = 0; i < ranges_.size() && all.size() < shapes::kMaxProfiledInputs; ++i) {
    if (const auto range = of(i)) {
      all.push_back({shapes::profile_name(program_.inputs[i].name), range->low, range->high});
    }
  }
  return all;
}

void ValueRanges::widen(Range& range, std::int64_t low, std::int64_t high) {
  std::int64_t known = range.low.load(std::memory_order_relaxed);
  while (low < known && !range.low.compare_exchange_weak(known, low, std::memory_order_relaxed)) {
  }
  known = range.high.load(std::memory_order_relaxed);
  while (high > known &&
         !range.high.compare_exchange_weak(known, high, std::memory_order_relaxed)) {
  }
}

}  // namespace pliant::session
