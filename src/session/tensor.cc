#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <pliant/tensor.h>

#include "base/checked_math.h"
#include "base/result.h"
#include "tensor/shape.h"

namespace pliant {
namespace {

constexpr std::int64_t kAlignment = 64;

/// Checks a shape from outside and counts its elements, so that their bytes fit into 63 bits.
Result<std::int64_t> count_elements(DType dtype, std::span<const std::int64_t> shape) {
  if (shape.size() > kMaxRank) {
    return make_error(ErrorCode::kShapeMismatch, "tensors have at most {} axes, this one has {}",
                      kMaxRank, shape.size());
  }
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] < 0) {
      return make_error(ErrorCode::kShapeMismatch, "the extent of axis {} is negative: {}", axis,
                        shape[axis]);
    }
  }
  const auto count = checked_element_count(Shape(shape));
  const auto bytes =
      count ? checked_multiply(*count, static_cast<std::int64_t>(byte_size(dtype))) : count;
  if (!bytes || *bytes > std::numeric_limits<std::int64_t>::max() - kAlignment) {
    return make_error(ErrorCode::kResourceExhausted, "the size of the tensor overflows: {}{}",
                      name(dtype), to_string(Shape(shape)));
  }
  return *count;
}

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};

}  // namespace

Tensor::Tensor() : shape_{0} {}

Result<Tensor> Tensor::allocate(DType dtype, std::span<const std::int64_t> shape) {
  PLIANT_ASSIGN_OR_RETURN(const std::int64_t count, count_elements(dtype, shape));
  const std::size_t bytes = static_cast<std::size_t>(count) * pliant::byte_size(dtype);
  const std::size_t rounded =
      (std::max<std::size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
  void* const data = std::aligned_alloc(kAlignment, rounded);
  if (data == nullptr) {
    return make_error(ErrorCode::kResourceExhausted, "no memory for a tensor of bytes: {}", bytes);
  }
  return borrow(data, dtype, shape, std::shared_ptr<void>(data, FreeMemory{}));
}

Result<Tensor> Tensor::borrow(const void* data, DType dtype, std::span<const std::int64_t> shape,
                              std::shared_ptr<const void> owner) {
  PLIANT_ASSIGN_OR_RETURN(const std::int64_t count, count_elements(dtype, shape));
  if (data == nullptr && count > 0) {
    return make_error(ErrorCode::kInvalidArgument, "null data for a tensor with elements: {}",
                      to_string(Shape(shape)));
  }
  Tensor tensor;
  tensor.dtype_ = dtype;
  tensor.shape_.assign(shape.begin(), shape.end());
  tensor.element_count_ = count;
  tensor.data_ = const_cast<void*>(data);
  tensor.owner_ = std::move(owner);
  return tensor;
}

std::size_t Tensor::byte_size() const {
  return static_cast<std::size_t>(element_count_) * pliant::byte_size(dtype_);
}

Result<Tensor> Tensor::copy_bytes(DType dtype, std::span<const std::int64_t> shape,
                                  std::span<const std::byte> bytes) {
  PLIANT_ASSIGN_OR_RETURN(const std::int64_t count, count_elements(dtype, shape));
  const std::size_t expected = static_cast<std::size_t>(count) * pliant::byte_size(dtype);
  if (bytes.size() != expected) {
    return make_error(ErrorCode::kInvalidArgument, "{}{} has {} bytes, the values have {}",
                      name(dtype), to_string(Shape(shape)), expected, bytes.size());
  }
  PLIANT_ASSIGN_OR_RETURN(Tensor tensor, allocate(dtype, shape));
  if (!bytes.empty()) {
    std::memcpy(tensor.mutable_data(), bytes.data(), bytes.size());
  }
  return tensor;
}

}  // namespace pliant
