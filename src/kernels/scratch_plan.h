#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant::kernels {

/// Hands out pieces of scratch memory one after the other, each 64-byte aligned. With a null base it
/// only counts, so sizing and using scratch memory are one piece of code.
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

}  // namespace pliant::kernels
