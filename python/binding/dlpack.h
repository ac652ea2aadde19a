#pragma once

#include <pybind11/pybind11.h>

#include <utility>

#include <pliant/tensor.h>

namespace pliant::python {

/// DLPack's numbers for where memory is: plain memory of the processor.
inline constexpr int kCpuDevice = 1;

/// What lies in a DLPack capsule, which must stay alive as long as the tensor is used: the memory
/// itself if it is row-major, else a copy. Throws BufferError for memory of another device, and
/// InvalidArgumentError or ElementTypeError, with the name of the input, for what is no tensor here.
[[nodiscard]] Tensor tensor_of_capsule(pybind11::handle capsule, const std::string& name);

/// A capsule over the tensor's memory, which stays alive with it. "dltensor_versioned" for whoever
/// speaks version 1, "dltensor" for others.
enum class DlpackVersion : std::uint8_t { kUnversioned, kOne };
[[nodiscard]] pybind11::capsule capsule_of(Tensor tensor, DlpackVersion version);

}  // namespace pliant::python
