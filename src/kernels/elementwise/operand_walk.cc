#include "kernels/elementwise/operand_walk.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace pliant::kernels {
namespace {

using Access = StridedOperand::Access;

/// Rows shorter than this are not worth a call of the loop each; several are gathered into a tile.
constexpr std::int64_t kShortestRow = 32;

template <class T>
void gather_elements(const std::byte* from, std::int64_t stride, std::int64_t count,
                     std::byte* to) {
  const T* source = reinterpret_cast<const T*>(from);
  T* target = reinterpret_cast<T*>(to);
  if (stride == 1) {
    std::memcpy(target, source, static_cast<std::size_t>(count) * sizeof(T));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    target[i] = source[i * stride];
  }
}
template <class T>
void scatter_elements(const std::byte* from, std::int64_t stride, std::int64_t count,
                      std::byte* to) {
  const T* source = reinterpret_cast<const T*>(from);
  T* target = reinterpret_cast<T*>(to);
  for (std::int64_t i = 0; i < count; ++i) {
    target[i * stride] = source[i];
  }
}
/// By log2 of the element's size.
constexpr MoveElements kGather[] = {&gather_elements<std::uint8_t>, &gather_elements<std::uint16_t>,
                                    &gather_elements<std::uint32_t>,
                                    &gather_elements<std::uint64_t>};
constexpr MoveElements kScatter[] = {
    &scatter_elements<std::uint8_t>, &scatter_elements<std::uint16_t>,
    &scatter_elements<std::uint32_t>, &scatter_elements<std::uint64_t>};

/// Axes of more than one element, outermost first as the result lies in memory.
int order_axes(const TensorView& result, int (&order)[kMaxRank]) {
  int rank = 0;
  for (int axis = 0; axis < result.rank(); ++axis) {
    const auto position = static_cast<std::size_t>(axis);
    if (result.shape[position] == 1) {
      continue;
    }
    int place = rank++;
    while (place > 0 && std::abs(result.strides[static_cast<std::size_t>(order[place - 1])]) <
                            std::abs(result.strides[position])) {
      order[place] = order[place - 1];
      --place;
    }
    order[place] = axis;
  }
  return rank;
}

}  // namespace

MoveElements gather_of_size(int element_bytes) {
  return kGather[__builtin_ctz(static_cast<unsigned>(element_bytes))];
}
MoveElements scatter_of_size(int element_bytes) {
  return kScatter[__builtin_ctz(static_cast<unsigned>(element_bytes))];
}

LoopAxes merge_axes(const TensorView& result, std::span<const WalkedOperand> operands) {
  LoopAxes axes;
  int order[kMaxRank];
  const int axis_count = order_axes(result, order);
  for (int i = 0; i < axis_count; ++i) {
    const auto axis = static_cast<std::size_t>(order[i]);
    const std::int64_t extent = result.shape[axis];
    // The axis continues the one before it if a step there is a whole run along this one.
    bool merges = axes.rank > 0;
    for (const WalkedOperand& walked : operands) {
      merges = merges && walked.operand->strides[axes.rank - 1] == walked.strides[axis] * extent;
    }
    const int place = merges ? axes.rank - 1 : axes.rank++;
    axes.extents[place] = merges ? axes.extents[place] * extent : extent;
    for (const WalkedOperand& walked : operands) {
      walked.operand->strides[place] = walked.strides[axis];
    }
  }
  if (axes.rank == 0) {
    axes.rank = 1;
    axes.extents[0] = 1;
  }
  return axes;
}

bool has_long_rows(const LoopAxes& axes) {
  return axes.rank > 1 && axes.extents[axes.rank - 1] >= kShortestRow;
}

Access access_of(const LoopAxes& axes, const StridedOperand& operand) {
  bool single = true;
  bool linear = true;
  std::int64_t dense = 1;
  for (int axis = axes.rank - 1; axis >= 0; --axis) {
    if (axes.extents[axis] != 1) {
      single = single && operand.strides[axis] == 0;
      linear = linear && operand.strides[axis] == dense;
    }
    dense *= axes.extents[axis];
  }
  return linear ? Access::kLinear : single ? Access::kSingle : Access::kWalked;
}

Cursor::Cursor(const LoopAxes& axes, const StridedOperand& operand, std::int64_t start)
    : axes_(&axes), operand_(&operand), at_(operand.data) {
  if (operand.access == Access::kSingle) {
    return;
  }
  if (operand.access == Access::kLinear) {
    at_ += start * operand.element_bytes;
    return;
  }
  for (int axis = axes.rank - 1; axis >= 0; --axis) {
    index_[axis] = start % axes.extents[axis];
    start /= axes.extents[axis];
    at_ += index_[axis] * operand.strides[axis] * operand.element_bytes;
  }
}

void Cursor::advance_in_row(std::int64_t count) {
  int axis = axes_->rank - 1;
  index_[axis] += count;
  at_ += count * operand_->strides[axis] * operand_->element_bytes;
  while (index_[axis] == axes_->extents[axis] && axis > 0) {
    at_ -= index_[axis] * operand_->strides[axis] * operand_->element_bytes;
    index_[axis] = 0;
    --axis;
    ++index_[axis];
    at_ += operand_->strides[axis] * operand_->element_bytes;
  }
}

void Cursor::gather(std::int64_t count, std::byte* tile) {
  const MoveElements move = gather_of_size(operand_->element_bytes);
  while (count > 0) {
    const std::int64_t run = std::min(count, row_left());
    move(at_, row_stride(), run, tile);
    tile += run * operand_->element_bytes;
    advance_in_row(run);
    count -= run;
  }
}

void Cursor::scatter(const std::byte* tile, std::int64_t count) {
  const MoveElements move = scatter_of_size(operand_->element_bytes);
  while (count > 0) {
    const std::int64_t run = std::min(count, row_left());
    move(tile, row_stride(), run, at_);
    tile += run * operand_->element_bytes;
    advance_in_row(run);
    count -= run;
  }
}

}  // namespace pliant::kernels
