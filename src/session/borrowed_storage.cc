#include "session/borrowed_storage.h"

#include <cstdint>

#include "base/result.h"

namespace pliant::session {
namespace {

class BorrowedStorage final : public Storage {
 public:
  explicit BorrowedStorage(const Tensor& tensor)
      : Storage(const_cast<void*>(tensor.data()), tensor.byte_size(), Lifetime::kRun),
        owner_(tensor.owner()) {}

 private:
  std::shared_ptr<const void> owner_;
};

}  // namespace

Result<StoredTensor> borrow_tensor(const Tensor& tensor) {
  if (reinterpret_cast<std::uintptr_t>(tensor.data()) % byte_size(tensor.dtype()) != 0) {
    PLIANT_ASSIGN_OR_RETURN(const Tensor aligned,
                            Tensor::copy_of(tensor.dtype(), tensor.shape(),
                                            std::span(static_cast<const std::byte*>(tensor.data()),
                                                      tensor.byte_size())));
    return borrow_tensor(aligned);
  }
  auto storage = std::make_shared<BorrowedStorage>(tensor);
  void* const data = storage->data();
  const Shape shape(std::span<const std::int64_t>(tensor.shape()));
  return StoredTensor{contiguous_view(data, tensor.dtype(), shape), std::move(storage)};
}

Result<Tensor> hand_out(const StoredTensor& tensor) {
  const TensorView& view = tensor.view;
  return Tensor::borrow(view.data, view.dtype, std::span(view.shape.begin(), view.shape.end()),
                        tensor.storage);
}

}  // namespace pliant::session
