#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <pliant/dtype.h>
#include <pliant/result.h>

namespace pliant {

/// A tensor at the border of the library: element type, shape and row-major elements.
///
/// Copying shares the elements. A tensor with an extent of 0 has no elements, and its data may be
/// null. Thread-safe for reading; writing elements while another thread reads them is a race.
class Tensor {
 public:
  /// An empty f32 tensor of shape [0].
  Tensor();

  /// New elements, uninitialised, 64-byte aligned. Fails with kShapeMismatch for a negative extent
  /// or more than 8 axes and with kResourceExhausted when the size overflows or memory is missing.
  [[nodiscard]] static Result<Tensor> allocate(DType dtype, std::span<const std::int64_t> shape);

  /// Elements that the caller owns: `data` must stay valid and unchanged while this tensor or a
  /// copy lives; `owner`, if given, is kept until then. Same errors as allocate(), and
  /// kInvalidArgument for null data with elements.
  [[nodiscard]] static Result<Tensor> borrow(const void* data, DType dtype,
                                             std::span<const std::int64_t> shape,
                                             std::shared_ptr<const void> owner = nullptr);

  /// A new tensor with a copy of `values`, whose type is the one that `dtype` stores (dtypes.def).
  /// Same errors as allocate(), and kInvalidArgument unless the values are as many as the shape
  /// has elements.
  template <class T>
  [[nodiscard]] static Result<Tensor> copy_of(DType dtype, std::span<const std::int64_t> shape,
                                              std::span<const T> values) {
    return copy_bytes(dtype, shape, std::as_bytes(values));
  }

  [[nodiscard]] DType dtype() const { return dtype_; }
  [[nodiscard]] const std::vector<std::int64_t>& shape() const { return shape_; }
  [[nodiscard]] std::int64_t element_count() const { return element_count_; }
  [[nodiscard]] std::size_t byte_size() const;
  [[nodiscard]] const void* data() const { return data_; }
  /// For filling a tensor from allocate(); do not write to borrowed elements.
  [[nodiscard]] void* mutable_data() { return data_; }
  /// The elements in row-major order. T must be the type that dtype() stores; this is not checked.
  template <class T>
  [[nodiscard]] std::span<const T> values() const {
    return {static_cast<const T*>(data_), static_cast<std::size_t>(element_count_)};
  }
  /// Keeps the elements alive; null when they are borrowed without an owner.
  [[nodiscard]] const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  [[nodiscard]] static Result<Tensor> copy_bytes(DType dtype, std::span<const std::int64_t> shape,
                                                 std::span<const std::byte> bytes);

  DType dtype_ = DType::kF32;
  std::vector<std::int64_t> shape_;
  std::int64_t element_count_ = 0;
  void* data_ = nullptr;
  std::shared_ptr<const void> owner_;
};

}  // namespace pliant
