#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>

#include "base/check.h"

namespace pliant {

/// A vector of at most `Capacity` plain values, stored in place: shapes and strides are copied a
/// lot.
template <class T, std::size_t Capacity>
class InlineVector {
 public:
  InlineVector() = default;
  InlineVector(std::initializer_list<T> values) : InlineVector(std::span<const T>(values)) {}
  explicit InlineVector(std::span<const T> values) {
    for (const T& value : values) {
      push_back(value);
    }
  }
  InlineVector(std::size_t size, const T& value) { resize(size, value); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) {
    PLIANT_DCHECK(i < size_);
    return values_[i];
  }
  const T& operator[](std::size_t i) const {
    PLIANT_DCHECK(i < size_);
    return values_[i];
  }
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }
  T* begin() { return values_.data(); }
  T* end() { return values_.data() + size_; }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + size_; }
  [[nodiscard]] const T* data() const { return values_.data(); }
  [[nodiscard]] T* data() { return values_.data(); }

  void push_back(const T& value) {
    PLIANT_CHECK_LT(size_, Capacity);
    values_[size_++] = value;
  }
  void resize(std::size_t size, const T& value = T{}) {
    PLIANT_CHECK_LE(size, Capacity);
    for (std::size_t i = size_; i < size; ++i) {
      values_[i] = value;
    }
    size_ = size;
  }
  void clear() { size_ = 0; }
  void insert_at(std::size_t position, const T& value) {
    PLIANT_CHECK_LE(position, size_);
    push_back(value);
    for (std::size_t i = size_ - 1; i > position; --i) {
      values_[i] = values_[i - 1];
    }
    values_[position] = value;
  }
  void erase_at(std::size_t position) {
    PLIANT_CHECK_LT(position, size_);
    for (std::size_t i = position + 1; i < size_; ++i) {
      values_[i - 1] = values_[i];
    }
    --size_;
  }

  friend bool operator==(const InlineVector& a, const InlineVector& b) {
    if (a.size_ != b.size_) {
      return false;
    }
    for (std::size_t i = 0; i < a.size_; ++i) {
      if (!(a.values_[i] == b.values_[i])) {
        return false;
      }
    }
    return true;
  }

 private:
  std::array<T, Capacity> values_{};
  std::size_t size_ = 0;
};

}  // namespace pliant
