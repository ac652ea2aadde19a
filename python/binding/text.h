#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

namespace pliant::python {

/// Names in models are opaque bytes. Those that are not UTF-8 become lone surrogates, as the names
/// of files do, and come back as the same bytes.
[[nodiscard]] pybind11::str to_str(std::string_view bytes);
/// The bytes of a Python string. Throws TypeError, saying what it is, for anything else.
[[nodiscard]] std::string to_bytes(pybind11::handle text, const char* what);

/// A path: str, or what os.fspath() takes.
[[nodiscard]] std::string to_path(pybind11::handle path);

}  // namespace pliant::python
