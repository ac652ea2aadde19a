#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/cpu_features.h"
#include "base/function_ref.h"
#include "tensor/view.h"

namespace pliant::bind {

/// Forms of constants that kernels prefer (panels, transposes), each made once. Belongs to a
/// program and is shared by everything that runs it; nothing is ever dropped, since the set is
/// bounded by the program's instructions.
///
/// Thread-safe: lookups share a lock; a form is made under the exclusive one.
class PackedConstants {
 public:
  /// The form of `constant` called `format`, made by `fill` into `bytes` of zeroed, 64-byte aligned
  /// memory at the first call.
  const std::byte* find_or_make(const TensorView& constant, std::string_view format,
                                std::size_t bytes, FunctionRef<void(std::byte*)> fill);

  /// The row-major form.
  [[nodiscard]] TensorView row_major(const TensorView& constant, CpuLevel level);

  [[nodiscard]] std::size_t byte_size() const;

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  struct Key {
    const void* data = nullptr;
    Shape shape;
    Strides strides;
    std::string format;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  mutable std::shared_mutex mutex_;
  std::unordered_map<Key, std::unique_ptr<std::byte, Free>, Hash> forms_;  // guarded by mutex_
  std::size_t byte_size_ = 0;                                              // guarded by mutex_
};

}  // namespace pliant::bind
