#pragma once

#include <pybind11/pybind11.h>

namespace pliant::python {

// One function per file, each adding its classes to the module.
void bind_options(pybind11::module_& module);
void bind_statistics(pybind11::module_& module);
void bind_tensor(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_session(pybind11::module_& module);

}  // namespace pliant::python
