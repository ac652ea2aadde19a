#include "errors.h"

#include <array>

#include "text.h"

namespace pliant::python {

namespace py = pybind11;

namespace {

/// One per row of errors.def, then ElementTypeError. They live as long as the process.
constexpr std::size_t kCodeCount = 0
#define PLIANT_ERROR(...) +1
#include <pliant/errors.def>
    ;
std::array<PyObject*, kCodeCount> error_classes;
PyObject* element_type_error = nullptr;

/// The exception of Python that people would catch for such a reason, besides pliant.Error.
PyObject* builtin_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kSyntax:
    case ErrorCode::kVerification:
    case ErrorCode::kShapeMismatch:
    case ErrorCode::kCorrupt:
      return PyExc_ValueError;
    case ErrorCode::kUnsupported:
      return PyExc_NotImplementedError;
    case ErrorCode::kResourceExhausted:
      return PyExc_MemoryError;
    case ErrorCode::kIo:
      return PyExc_OSError;
    case ErrorCode::kCancelled:
      return PyExc_TimeoutError;
    case ErrorCode::kInternal:
      return PyExc_RuntimeError;
  }
  return PyExc_Exception;
}

PyObject* new_class(py::module_& module, const std::string& name, const char* doc,
                    const py::tuple& bases) {
  PyObject* const made =
      PyErr_NewExceptionWithDoc(("pliant." + name).c_str(), doc, bases.ptr(), nullptr);
  if (made == nullptr) {
    throw py::error_already_set();
  }
  module.attr(name.c_str()) = py::handle(made);
  return made;
}

void raise_as(PyObject* kind, const Error& error) {
  // An OSError with one argument prints that argument, as all others do.
  const py::object exception = py::handle(kind)(to_str(error.to_string()));
  exception.attr("code") = error_code_name(error.code);
  exception.attr("message") = to_str(error.message);
  exception.attr("where") = to_str(error.where);
  PyErr_SetObject(kind, exception.ptr());
}

}  // namespace

void bind_errors(py::module_& module) {
  PyObject* const base = new_class(
      module, "Error",
      "What pliant raises. `code` is the kind in words, `message` what is wrong, `where` the place "
      "(file:line:column, node, instruction) or empty.",
      py::make_tuple(py::handle(PyExc_Exception)));
  for (const char* const field : {"code", "message", "where"}) {
    py::handle(base).attr(field) = "";
  }
#define PLIANT_ERROR(Name, text, doc)                                                          \
  error_classes[static_cast<std::size_t>(ErrorCode::k##Name)] =                                \
      new_class(module, #Name "Error", doc,                                                    \
                py::make_tuple(py::handle(base), py::handle(builtin_of(ErrorCode::k##Name)))); \
  py::handle(error_classes[static_cast<std::size_t>(ErrorCode::k##Name)]).attr("code") = text;
#include <pliant/errors.def>
  element_type_error = new_class(
      module, "ElementTypeError", "An input has another element type than the model declares.",
      py::make_tuple(
          py::handle(error_classes[static_cast<std::size_t>(ErrorCode::kInvalidArgument)]),
          py::handle(PyExc_TypeError)));
}

void raise(const Error& error) {
  raise_as(error_classes[static_cast<std::size_t>(error.code)], error);
  throw py::error_already_set();
}

void raise_element_type(const std::string& message) {
  raise_as(element_type_error, Error{ErrorCode::kInvalidArgument, message, {}});
  throw py::error_already_set();
}

}  // namespace pliant::python
