#include "arrays.h"

#include <memory>
#include <optional>

#include "dlpack.h"
#include "element_types.h"
#include "errors.h"
#include "text.h"

namespace pliant::python {

namespace py = pybind11;

namespace {

/// What may be given besides NumPy arrays, told apart once per value.
bool has_dlpack(py::handle value) {
  return py::hasattr(value, "__dlpack__");
}

py::object numpy(const char* name) {
  return py::module_::import("numpy").attr(name);
}

/// The capsule of an object, in the newest version that it and we speak.
py::object capsule_from(py::handle value) {
  const py::object dlpack = value.attr("__dlpack__");
  try {
    return dlpack(py::arg("max_version") = py::make_tuple(1, 0));
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_TypeError)) {
      throw;
    }
  }
  return dlpack();  // it is older than versions are
}

/// bool < integer < float: lists may go up, never down.
int breadth(char kind) {
  switch (kind) {
    case 'b':
      return 0;
    case 'i':
    case 'u':
      return 1;
    default:
      return 2;
  }
}

[[noreturn]] void refuse(const InputInfo& declared, const std::string& given) {
  raise_element_type("input '" + declared.name + "' has the wrong element type: declared " +
                     std::string(name(declared.dtype)) + ", given " + given);
}

void check_element_type(const InputInfo& declared, DType given) {
  if (given != declared.dtype) {
    refuse(declared, std::string(name(given)));
  }
}

/// Words for a dtype are made by Python code, which takes longer than a short run.
void check_element_type(const InputInfo& declared, const py::dtype& given) {
  const std::optional<DType> known = from_numpy(given);
  if (!known) {
    refuse(declared, py::str(given).cast<std::string>());
  }
  check_element_type(declared, *known);
}

}  // namespace

void FeedTensors::add(const InputInfo& declared, py::handle value) {
  tensors_.push_back({declared.name, tensor_of(declared, value)});
}

void FeedTensors::add_unknown(std::string name) {
  tensors_.push_back({std::move(name), Tensor()});
}

Tensor FeedTensors::tensor_of(const InputInfo& declared, py::handle value) {
  if (py::isinstance<py::array>(value)) {
    return of_array(declared, py::reinterpret_borrow<py::array>(value));
  }
  if (py::isinstance<Tensor>(value)) {
    const auto& tensor = value.cast<const Tensor&>();
    check_element_type(declared, tensor.dtype());
    return tensor;
  }
  if (py::isinstance(value, numpy("generic"))) {
    return of_array(declared, numpy("asarray")(value));
  }
  if (has_dlpack(value)) {
    py::object capsule = capsule_from(value);
    Tensor tensor = tensor_of_capsule(capsule, declared.name);
    check_element_type(declared, tensor.dtype());
    kept_.push_back(std::move(capsule));
    return tensor;
  }
  if (PyObject_CheckBuffer(value.ptr()) != 0) {
    return of_array(declared,
                    numpy("asarray")(py::memoryview(py::reinterpret_borrow<py::object>(value))));
  }
  if (py::hasattr(value, "__array__")) {
    return of_array(declared, numpy("asarray")(value));
  }
  return of_plain_values(declared, value);
}

Tensor FeedTensors::of_array(const InputInfo& declared, py::array array) {
  const py::dtype dtype = array.dtype();
  check_element_type(declared, dtype);
  const bool native = dtype.byteorder() != '>';
  if (!native || (array.flags() & py::array::c_style) == 0) {
    array = numpy("array")(array, py::arg("dtype") = to_numpy(declared.dtype),
                           py::arg("order") = "C", py::arg("copy") = true);
  }
  std::vector<std::int64_t> shape(array.shape(), array.shape() + array.ndim());
  Tensor tensor = value_of(Tensor::borrow(array.data(), declared.dtype, shape));
  kept_.push_back(std::move(array));
  return tensor;
}

Tensor FeedTensors::of_plain_values(const InputInfo& declared, py::handle value) {
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr()) && !PyFloat_Check(value.ptr()) &&
      !PyLong_Check(value.ptr())) {
    raise_element_type("input '" + declared.name + "' is no tensor: it is a " +
                       Py_TYPE(value.ptr())->tp_name);
  }
  const py::dtype wanted = to_numpy(declared.dtype);
  const py::array found = numpy("asarray")(value);
  const char kind = found.dtype().kind();
  const bool numbers = kind == 'b' || kind == 'i' || kind == 'u' || kind == 'f';
  if (found.size() > 0 && (!numbers || breadth(kind) > breadth(wanted.kind()))) {
    refuse(declared, py::str(found.dtype()).cast<std::string>());
  }
  return of_array(declared, numpy("asarray")(value, py::arg("dtype") = wanted));
}

py::array array_over(const Tensor& tensor) {
  auto owner = std::make_unique<std::shared_ptr<const void>>(tensor.owner());
  const py::capsule base(
      owner.get(), [](void* kept) { delete static_cast<std::shared_ptr<const void>*>(kept); });
  [[maybe_unused]] const auto* const kept_by_base = owner.release();
  return py::array(to_numpy(tensor.dtype()), tensor.shape(), tensor.data(), base);
}

}  // namespace pliant::python
