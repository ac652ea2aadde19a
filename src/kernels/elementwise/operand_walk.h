#pragma once

#include <cstdint>
#include <span>

#include "kernels/elementwise/elementwise.h"
#include "tensor/view.h"

// How elementwise loops get at operands of any strides: which axes to run over, in which order, and
// where an operand's next elements are.

namespace pliant::kernels {

/// An operand whose strides merge_axes() writes, and those that it has in the shape of the result.
struct WalkedOperand {
  const std::int64_t* strides;
  StridedOperand* operand;
};
/// Axes longer than one in the order of memory of `result`, outermost first. Those that lie
/// together in all operands are merged. At least one axis.
[[nodiscard]] LoopAxes merge_axes(const TensorView& result,
                                  std::span<const WalkedOperand> operands);

/// Whether rows (along the last axis) are long enough for a call of a loop each.
[[nodiscard]] bool has_long_rows(const LoopAxes& axes);

[[nodiscard]] StridedOperand::Access access_of(const LoopAxes& axes, const StridedOperand& operand);

/// Copies elements that are `stride` apart to neighbouring ones, or back. By the element's size.
using MoveElements = void (*)(const std::byte* from, std::int64_t stride, std::int64_t count,
                              std::byte* to);
[[nodiscard]] MoveElements gather_of_size(int element_bytes);
[[nodiscard]] MoveElements scatter_of_size(int element_bytes);

/// Where an operand is, as the loop runs through the shape.
class Cursor {
 public:
  Cursor() = default;
  Cursor(const LoopAxes& axes, const StridedOperand& operand, std::int64_t start);

  [[nodiscard]] std::byte* at() const { return at_; }
  [[nodiscard]] std::int64_t row_stride() const { return operand_->strides[axes_->rank - 1]; }

  void advance_linear(std::int64_t count) { at_ += count * operand_->element_bytes; }
  /// Moves on by at most the rest of the row.
  void advance_in_row(std::int64_t count);

  /// Copies the next elements to neighbouring ones, or back, and moves on.
  void gather(std::int64_t count, std::byte* tile);
  void scatter(const std::byte* tile, std::int64_t count);

 private:
  [[nodiscard]] std::int64_t row_left() const {
    const int axis = axes_->rank - 1;
    return axes_->extents[axis] - index_[axis];
  }

  const LoopAxes* axes_ = nullptr;
  const StridedOperand* operand_ = nullptr;
  std::byte* at_ = nullptr;
  std::int64_t index_[kMaxRank] = {};
};

}  // namespace pliant::kernels
