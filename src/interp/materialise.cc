#include "interp/materialise.h"

#include "kernels/movement/copy.h"
#include "threads/stop_check.h"

namespace pliant::interp {

Result<StoredTensor> allocate_tensor(Run& run, DType dtype, const Shape& shape) {
  const auto count = checked_element_count(shape);
  if (!count) {
    return make_error(ErrorCode::kResourceExhausted, "the element count of {} overflows",
                      to_string(shape));
  }
  PLIANT_ASSIGN_OR_RETURN(std::shared_ptr<Storage> storage,
                          run.environment.pool.allocate(dtype, *count));
  void* const data = storage->data();
  return StoredTensor{contiguous_view(data, dtype, shape), std::move(storage)};
}

Result<StoredTensor> copy_to_row_major(Run& run, const TensorView& source) {
  PLIANT_ASSIGN_OR_RETURN(StoredTensor copy, allocate_tensor(run, source.dtype, source.shape));
  kernels::copy_strided(kernels::copy_arguments(source, copy.view),
                        kernels::KernelContext{run.parallel, nullptr, run.environment.level});
  if (run.parallel.is_stopped()) {
    return stopped();  // it may hold anything
  }
  return copy;
}

Result<StoredTensor> scalar_tensor(Run& run, std::int64_t value) {
  PLIANT_ASSIGN_OR_RETURN(StoredTensor tensor, allocate_tensor(run, DType::kI64, {}));
  *tensor.view.as<std::int64_t>() = value;
  return tensor;
}

std::int64_t scalar_value(const Run& run, const TensorSource& source) {
  const auto index = static_cast<std::size_t>(source.index);
  return source.kind == TensorSource::Kind::kSize ? run.frame.sizes[index]
                                                  : run.frame.symbols[index];
}

Result<TensorRegister> tensor_value(Run& run, const TensorSource& source) {
  switch (source.kind) {
    case TensorSource::Kind::kRegister:
      return run.frame.tensor(source.index);
    case TensorSource::Kind::kConstant:
      return TensorRegister{run.program.constant(source.index), true};
    case TensorSource::Kind::kSize:
    case TensorSource::Kind::kSymbol:
      break;
  }
  PLIANT_ASSIGN_OR_RETURN(StoredTensor tensor, scalar_tensor(run, scalar_value(run, source)));
  return TensorRegister{std::move(tensor), false};
}

}  // namespace pliant::interp
