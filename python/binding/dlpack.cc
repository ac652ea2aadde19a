#include "dlpack.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "element_types.h"
#include "errors.h"

// The layouts below are DLPack's binary interface (https://dmlc.github.io/dlpack): a tensor is passed
// in a capsule whose name says which of the two managed structures it points to. Whoever takes the
// memory over renames the capsule and calls the deleter; we leave capsules as they are and keep them,
// so that their own destructor does that.

namespace pliant::python {

namespace py = pybind11;

namespace {

struct DlTensor {
  void* data = nullptr;
  std::int32_t device_type = kCpuDevice;
  std::int32_t device_id = 0;
  std::int32_t axis_count = 0;
  std::uint8_t type_code = 0;
  std::uint8_t type_bits = 0;
  std::uint16_t type_lanes = 1;
  std::int64_t* shape = nullptr;
  std::int64_t* strides = nullptr;  ///< in elements; null: row-major
  std::uint64_t byte_offset = 0;
};

struct UnversionedTensor {
  using Deleter = void (*)(UnversionedTensor*);
  static constexpr const char* kName = "dltensor";
  DlTensor tensor;
  void* context = nullptr;
  Deleter deleter = nullptr;
};

struct VersionedTensor {
  using Deleter = void (*)(VersionedTensor*);
  static constexpr const char* kName = "dltensor_versioned";
  std::uint32_t major = 1;
  std::uint32_t minor = 0;
  void* context = nullptr;
  Deleter deleter = nullptr;
  std::uint64_t flags = 0;
  DlTensor tensor;
};

// ---- in ----

const DlTensor& tensor_in(py::handle capsule, const std::string& name) {
  if (PyCapsule_IsValid(capsule.ptr(), VersionedTensor::kName) != 0) {
    const auto* const managed = static_cast<const VersionedTensor*>(
        PyCapsule_GetPointer(capsule.ptr(), VersionedTensor::kName));
    if (managed->major != 1) {
      throw py::buffer_error("input '" + name + "' comes in an unknown version of DLPack: " +
                             std::to_string(managed->major));
    }
    return managed->tensor;
  }
  if (PyCapsule_IsValid(capsule.ptr(), UnversionedTensor::kName) != 0) {
    return static_cast<const UnversionedTensor*>(
               PyCapsule_GetPointer(capsule.ptr(), UnversionedTensor::kName))
        ->tensor;
  }
  throw py::buffer_error("input '" + name + "' gave no DLPack capsule that is still unused");
}

bool is_row_major(const DlTensor& tensor) {
  if (tensor.strides == nullptr) {
    return true;
  }
  std::int64_t expected = 1;
  for (int axis = tensor.axis_count - 1; axis >= 0; --axis) {
    if (tensor.shape[axis] == 0) {
      return true;
    }
    if (tensor.shape[axis] != 1 && tensor.strides[axis] != expected) {
      return false;
    }
    expected *= tensor.shape[axis];
  }
  return true;
}

/// Copies elements one by one, the last axis the fastest.
void copy_row_major(const DlTensor& source, const std::byte* from, std::size_t element_bytes,
                    Tensor& target) {
  auto* to = static_cast<std::byte*>(target.mutable_data());
  std::vector<std::int64_t> index(static_cast<std::size_t>(source.axis_count), 0);
  std::int64_t offset = 0;
  for (std::int64_t left = target.element_count(); left > 0; --left) {
    std::memcpy(to, from + offset * static_cast<std::int64_t>(element_bytes), element_bytes);
    to += element_bytes;
    for (int axis = source.axis_count - 1; axis >= 0; --axis) {
      std::int64_t& position = index[static_cast<std::size_t>(axis)];
      offset += source.strides[axis];
      if (++position < source.shape[axis]) {
        break;
      }
      offset -= source.strides[axis] * position;
      position = 0;
    }
  }
}

// ---- out ----

/// What a capsule keeps: the structure that is passed, and what it points to.
template <class Managed>
struct Exported {
  explicit Exported(Tensor kept)
      : tensor(std::move(kept)), shape(tensor.shape()), strides(shape.size()) {
    std::int64_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      strides[axis] = stride;
      stride *= shape[axis];
    }
    const DlpackType type = to_dlpack(tensor.dtype());
    managed.tensor.data = tensor.mutable_data();
    managed.tensor.axis_count = static_cast<std::int32_t>(shape.size());
    managed.tensor.type_code = type.code;
    managed.tensor.type_bits = type.bits;
    managed.tensor.shape = shape.data();
    managed.tensor.strides = strides.data();
    managed.context = this;
    managed.deleter = [](Managed* self) { delete static_cast<Exported*>(self->context); };
  }

  Tensor tensor;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  Managed managed;
};

/// A capsule that nobody has taken over still has its first name.
template <class Managed>
void destroy(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, Managed::kName) != 0) {
    auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, Managed::kName));
    managed->deleter(managed);
  }
}

template <class Managed>
py::capsule new_capsule(Tensor tensor) {
  auto exported = std::make_unique<Exported<Managed>>(std::move(tensor));
  PyObject* const capsule = PyCapsule_New(&exported->managed, Managed::kName, &destroy<Managed>);
  if (capsule == nullptr) {
    throw py::error_already_set();
  }
  [[maybe_unused]] const auto* const kept_by_capsule = exported.release();
  return py::reinterpret_steal<py::capsule>(capsule);
}

}  // namespace

Tensor tensor_of_capsule(py::handle capsule, const std::string& name) {
  const DlTensor& source = tensor_in(capsule, name);
  if (source.device_type != kCpuDevice) {
    throw py::buffer_error("input '" + name + "' is not in the processor's memory but on device " +
                           std::to_string(source.device_type) + " of DLPack");
  }
  const std::optional<DType> dtype = from_dlpack({source.type_code, source.type_bits});
  if (!dtype || source.type_lanes != 1) {
    raise_element_type("input '" + name + "' has an element type that pliant does not have: code " +
                       std::to_string(source.type_code) + ", " + std::to_string(source.type_bits) +
                       " bits");
  }
  const std::vector<std::int64_t> shape(source.shape, source.shape + source.axis_count);
  const auto* const data = static_cast<const std::byte*>(source.data) + source.byte_offset;
  if (is_row_major(source)) {
    return value_of(Tensor::borrow(data, *dtype, shape));
  }
  Tensor copy = value_of(Tensor::allocate(*dtype, shape));
  copy_row_major(source, data, byte_size(*dtype), copy);
  return copy;
}

py::capsule capsule_of(Tensor tensor, DlpackVersion version) {
  return version == DlpackVersion::kOne ? new_capsule<VersionedTensor>(std::move(tensor))
                                        : new_capsule<UnversionedTensor>(std::move(tensor));
}

}  // namespace pliant::python
