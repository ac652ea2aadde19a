#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include <pliant/session.h>

namespace pliant::python {

/// A tier by its name; None is no wish. Raises InvalidArgumentError for another name.
[[nodiscard]] std::optional<Tier> tier_of(pybind11::handle name);

}  // namespace pliant::python
