#pragma once

#include "kernels/convolution/convolution.h"

namespace pliant::kernels::convolution {

/// Hands out pieces of scratch memory one after the other, each 64-byte aligned. With a null base
/// it only counts, so sizing and using scratch memory are one piece of code.
class ScratchPlan {
 public:
  explicit ScratchPlan(std::byte* base) : base_(base) {}
  template <class T>
  T* take(std::int64_t count) {
    T* piece = base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + used_);
    used_ += (static_cast<std::size_t>(count) * sizeof(T) + 63) / 64 * 64;
    return piece;
  }
  [[nodiscard]] std::size_t used() const { return used_; }

 private:
  std::byte* base_;
  std::size_t used_ = 0;
};

/// True when the channels of a pixel are neighbours, so that x is read where it lies.
[[nodiscard]] inline bool is_channels_last(const ConvolutionShape& shape) {
  return shape.x_strides[1] == 1 || shape.total_channels() <= 1;
}

/// The shape with x's strides as the fast kernels read it: unchanged, or dense channels-last.
[[nodiscard]] ConvolutionShape with_channels_last_input(const ConvolutionShape& shape);

/// Elements of x.
[[nodiscard]] std::int64_t input_elements(const ConvolutionShape& shape);

/// Copies x into dense channels-last memory.
void copy_to_channels_last(const ConvolutionShape& shape, const float* x, float* target,
                           const KernelContext& context);

}  // namespace pliant::kernels::convolution
