#include "bind/packed_constants.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "kernels/movement/copy.h"
#include "tensor/dtype.h"

namespace pliant::bind {

void PackedConstants::Free::operator()(std::byte* memory) const {
  std::free(memory);
}

std::size_t PackedConstants::Hash::operator()(const Key& key) const {
  std::size_t hash = std::hash<const void*>{}(key.data);
  const auto mix = [&hash](std::size_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  };
  for (std::size_t i = 0; i < key.shape.size(); ++i) {
    mix(static_cast<std::size_t>(key.shape[i]));
    mix(static_cast<std::size_t>(key.strides[i]));
  }
  mix(std::hash<std::string>{}(key.format));
  return hash;
}

const std::byte* PackedConstants::find_or_make(const TensorView& constant, std::string_view format,
                                               std::size_t bytes,
                                               FunctionRef<void(std::byte*)> fill) {
  const Key key{constant.data, constant.shape, constant.strides, std::string(format)};
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = forms_.find(key); found != forms_.end()) {
      return found->second.get();
    }
  }
  const std::unique_lock lock(mutex_);
  if (const auto found = forms_.find(key); found != forms_.end()) {
    return found->second.get();
  }
  constexpr std::size_t kAlignment = 64;
  const std::size_t rounded = (bytes + kAlignment) / kAlignment * kAlignment;
  std::unique_ptr<std::byte, Free> memory(
      static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded)));
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  std::memset(memory.get(), 0, rounded);
  fill(memory.get());
  byte_size_ += rounded;
  return forms_.emplace(key, std::move(memory)).first->second.get();
}

TensorView PackedConstants::row_major(const TensorView& constant, CpuLevel level) {
  TensorView copy = contiguous_view(nullptr, constant.dtype, constant.shape);
  const auto bytes = static_cast<std::size_t>(copy.element_count()) * pliant::byte_size(copy.dtype);
  const std::byte* const kept = find_or_make(constant, "row-major", bytes, [&](std::byte* memory) {
    copy.data = memory;
    SerialFor serial;
    kernels::copy_strided(kernels::copy_arguments(constant, copy),
                          kernels::KernelContext{serial, nullptr, level});
  });
  copy.data = const_cast<std::byte*>(kept);
  return copy;
}

std::size_t PackedConstants::byte_size() const {
  const std::shared_lock lock(mutex_);
  return byte_size_;
}

}  // namespace pliant::bind
