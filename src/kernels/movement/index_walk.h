#pragma once

#include <array>
#include <cstdint>

#include "tensor/shape.h"

namespace pliant::kernels {

/// Walks the indices of a shape in row-major order and keeps the offset of the current index for
/// each of `kOperands` layouts. One step costs an addition per operand, not a division per axis.
template <int kOperands>
class IndexWalk {
 public:
  using AllStrides = std::array<Strides, kOperands>;

  /// Starts at the index whose row-major number is `start`. Every extent must be > 0.
  IndexWalk(const Shape& shape, const AllStrides& strides, std::int64_t start)
      : shape_(shape), strides_(strides), index_(shape.size(), 0) {
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      index_[axis] = start % shape[axis];
      start /= shape[axis];
      for (std::size_t i = 0; i < kOperands; ++i) {
        offsets_[i] += index_[axis] * strides_[i][axis];
      }
    }
  }

  [[nodiscard]] std::int64_t offset(std::size_t operand) const { return offsets_[operand]; }
  [[nodiscard]] const Shape& index() const { return index_; }

  void next() {
    for (std::size_t axis = shape_.size(); axis-- > 0;) {
      if (++index_[axis] < shape_[axis]) {
        for (std::size_t i = 0; i < kOperands; ++i) {
          offsets_[i] += strides_[i][axis];
        }
        return;
      }
      index_[axis] = 0;
      for (std::size_t i = 0; i < kOperands; ++i) {
        offsets_[i] -= (shape_[axis] - 1) * strides_[i][axis];
      }
    }
  }

 private:
  const Shape& shape_;
  AllStrides strides_;
  Shape index_;
  std::array<std::int64_t, kOperands> offsets_{};
};

}  // namespace pliant::kernels
