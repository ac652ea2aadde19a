#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>

#include <pliant/result.h>

namespace pliant::python {

/// Adds the exceptions to the module: Error, a subclass per error code, and ElementTypeError.
void bind_errors(pybind11::module_& module);

/// Raises the exception of the error's code, with `code`, `message` and `where`.
[[noreturn]] void raise(const Error& error);
/// Raises ElementTypeError, which is an InvalidArgumentError and a TypeError.
[[noreturn]] void raise_element_type(const std::string& message);

/// The value of a result, or its exception. Needs the GIL.
template <class T>
[[nodiscard]] T value_of(Result<T> result) {
  if (!result) {
    raise(result.error());
  }
  return std::move(*result);
}
inline void check(const Status& status) {
  if (!status) {
    raise(status.error());
  }
}

}  // namespace pliant::python
