#include "plan/reduced_axes.h"

#include <algorithm>
#include <numeric>

namespace pliant::plan {

// All reductions have their operands at the same places.
using Row = isa::ReduceMean;

std::optional<std::vector<std::int64_t>> kept_reduced_axes(const isa::Instruction& reduction,
                                                           std::size_t rank) {
  if (reduction.operands[Row::keepdims].number == 0) {
    return std::nullopt;
  }
  const isa::Operand& given = reduction.operands[Row::axis];
  std::vector<std::int64_t> axes;
  if (!given.given()) {
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
  }
  const std::vector<isa::Operand> items =
      given.form == isa::Form::kList ? given.list : std::vector{given};
  for (const isa::Operand& item : items) {
    if (item.form != isa::Form::kNumber) {
      return std::nullopt;
    }
    axes.push_back(item.number < 0 ? item.number + static_cast<std::int64_t>(rank) : item.number);
  }
  std::sort(axes.begin(), axes.end());
  return axes.empty() ? std::nullopt : std::optional(axes);
}

}  // namespace pliant::plan
