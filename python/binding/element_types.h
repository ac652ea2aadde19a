#pragma once

#include <pybind11/numpy.h>

#include <optional>

#include <pliant/dtype.h>

namespace pliant::python {

/// The element type of a NumPy dtype in any byte order; empty if Pliant has no such type.
[[nodiscard]] std::optional<DType> from_numpy(const pybind11::dtype& dtype);
/// The NumPy dtype of an element type; BF16 needs the package ml_dtypes and raises ImportError,
/// which names it, without.
[[nodiscard]] pybind11::dtype to_numpy(DType dtype);

/// "tensor(float)": the name that ONNX people know.
[[nodiscard]] const char* onnx_type_name(DType dtype);

/// How DLPack calls an element type: a code, and bits.
struct DlpackType {
  std::uint8_t code = 0;
  std::uint8_t bits = 0;
  friend bool operator==(const DlpackType&, const DlpackType&) = default;
};
[[nodiscard]] DlpackType to_dlpack(DType dtype);
[[nodiscard]] std::optional<DType> from_dlpack(DlpackType type);

}  // namespace pliant::python
