#pragma once

#include <memory>
#include <utility>

#include "tensor/view.h"

namespace pliant {

/// A block of memory that tensors share. Where it came from is known only to what `release` does.
class Storage {
 public:
  virtual ~Storage() = default;
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t byte_size() const { return byte_size_; }
  /// True for weights: the bytes never change while the program lives, so derived forms may be
  /// kept.
  [[nodiscard]] bool is_constant() const { return constant_; }

 protected:
  enum class Lifetime { kRun, kConstant };
  Storage(void* data, std::size_t byte_size, Lifetime lifetime)
      : data_(data), byte_size_(byte_size), constant_(lifetime == Lifetime::kConstant) {}

 private:
  void* data_;
  std::size_t byte_size_;
  bool constant_;
};

/// A tensor that keeps its memory alive: a view and a share in the storage it looks at. Copying
/// copies no elements. Thread-safe as std::shared_ptr is.
struct StoredTensor {
  TensorView view;
  std::shared_ptr<Storage> storage;

  [[nodiscard]] bool is_constant() const { return storage != nullptr && storage->is_constant(); }
};

}  // namespace pliant
