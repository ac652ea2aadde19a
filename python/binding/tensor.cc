#include <pybind11/stl.h>

#include <pliant/tensor.h>

#include "arrays.h"
#include "bindings.h"
#include "dlpack.h"
#include "element_types.h"
#include "errors.h"

namespace pliant::python {

namespace py = pybind11;

namespace {

py::tuple shape_of(const Tensor& tensor) {
  return py::tuple(py::cast(tensor.shape()));
}

py::object as_array(const Tensor& tensor, const py::object& dtype, const py::object& copy) {
  const py::array array = array_over(tensor);
  if (dtype.is_none() && copy.is_none()) {
    return array;
  }
  return py::module_::import("numpy").attr("array")(array, py::arg("dtype") = dtype,
                                                    py::arg("copy") = copy);
}

/// A capsule as the array API standard describes __dlpack__().
py::capsule to_capsule(const Tensor& tensor, const py::object& stream,
                       const py::object& max_version, const py::object& dl_device,
                       const py::object& copy) {
  if (!stream.is_none()) {
    throw py::buffer_error("memory of the processor has no streams");
  }
  if (!dl_device.is_none() && !dl_device.equal(py::make_tuple(kCpuDevice, 0))) {
    throw py::buffer_error("the tensor is in the processor's memory, and cannot go elsewhere");
  }
  Tensor exported = tensor;
  if (!copy.is_none() && copy.cast<bool>()) {
    exported = value_of(Tensor::copy_of(
        tensor.dtype(), tensor.shape(),
        std::span(static_cast<const std::byte*>(tensor.data()), tensor.byte_size())));
  }
  const bool versioned =
      !max_version.is_none() && max_version.cast<py::tuple>()[0].cast<int>() >= 1;
  return capsule_of(std::move(exported),
                    versioned ? DlpackVersion::kOne : DlpackVersion::kUnversioned);
}

py::buffer_info to_buffer(Tensor& tensor) {
  if (tensor.dtype() == DType::kBF16) {
    throw py::buffer_error("the buffer protocol has no bfloat16; use __dlpack__ or numpy()");
  }
  const auto item = static_cast<py::ssize_t>(byte_size(tensor.dtype()));
  std::vector<py::ssize_t> strides(tensor.shape().size());
  py::ssize_t stride = item;
  for (std::size_t axis = strides.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= tensor.shape()[axis];
  }
  const std::string format(1, to_numpy(tensor.dtype()).char_());
  return {tensor.mutable_data(), item,   format, static_cast<py::ssize_t>(strides.size()),
          tensor.shape(),        strides};
}

std::string describe(const Tensor& tensor) {
  std::string text = "<pliant.Tensor " + std::string(name(tensor.dtype())) + "[";
  const char* separator = "";
  for (const std::int64_t extent : tensor.shape()) {
    text += separator + std::to_string(extent);
    separator = ", ";
  }
  return text + "]>";
}

}  // namespace

void bind_tensor(py::module_& module) {
  py::class_<Tensor>(module, "Tensor", py::buffer_protocol(),
                     "An output as run_tensors() gives it: memory of its own, row-major. NumPy, "
                     "DLPack and the buffer protocol see that memory without a copy, and it may be "
                     "fed to a run as it is.")
      .def_buffer(&to_buffer)
      .def_property_readonly("shape", &shape_of, "extents, a tuple")
      .def_property_readonly(
          "dtype", [](const Tensor& tensor) { return to_numpy(tensor.dtype()); },
          "NumPy dtype; bfloat16 needs ml_dtypes")
      .def_property_readonly(
          "type", [](const Tensor& tensor) { return onnx_type_name(tensor.dtype()); },
          "element type as ONNX says it, such as tensor(float)")
      .def_property_readonly("nbytes", &Tensor::byte_size, "bytes of all elements")
      .def("numpy", &array_over, "A NumPy array over the same memory.")
      .def("__array__", &as_array, py::arg("dtype") = py::none(), py::arg("copy") = py::none())
      .def("__dlpack__", &to_capsule, py::kw_only(), py::arg("stream") = py::none(),
           py::arg("max_version") = py::none(), py::arg("dl_device") = py::none(),
           py::arg("copy") = py::none())
      .def("__dlpack_device__", [](const Tensor&) { return py::make_tuple(kCpuDevice, 0); })
      .def("__repr__", &describe);
}

}  // namespace pliant::python
