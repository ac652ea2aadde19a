#include "text.h"

namespace pliant::python {

namespace py = pybind11;

py::str to_str(std::string_view bytes) {
  PyObject* const text =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape");
  if (text == nullptr) {
    throw py::error_already_set();
  }
  return py::reinterpret_steal<py::str>(text);
}

std::string to_bytes(py::handle text, const char* what) {
  if (!PyUnicode_Check(text.ptr())) {
    throw py::type_error(std::string(what) + " must be a str, this is a " +
                         Py_TYPE(text.ptr())->tp_name);
  }
  Py_ssize_t size = 0;
  if (const char* const utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) {
    return {utf8, static_cast<std::size_t>(size)};
  }
  PyErr_Clear();  // lone surrogates: bytes that were no UTF-8
  PyObject* const encoded = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape");
  if (encoded == nullptr) {
    throw py::error_already_set();
  }
  return std::string(py::reinterpret_steal<py::bytes>(encoded));
}

std::string to_path(py::handle path) {
  PyObject* const encoded = PyOS_FSPath(path.ptr());
  if (encoded == nullptr) {
    throw py::error_already_set();
  }
  const auto object = py::reinterpret_steal<py::object>(encoded);
  return py::isinstance<py::bytes>(object) ? std::string(py::reinterpret_borrow<py::bytes>(object))
                                           : to_bytes(object, "a path");
}

}  // namespace pliant::python
