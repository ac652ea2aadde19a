#include "element_types.h"

#include <array>
#include <string_view>

namespace pliant::python {

namespace py = pybind11;

namespace {

struct TypeRow {
  const char* numpy;  ///< kind and size
  DlpackType dlpack;
  int onnx;  ///< number of ONNX's element type
};

/// Classes of dtypes.def, by DLPack's codes.
constexpr std::uint8_t kSigned = 0;
constexpr std::uint8_t kUnsigned = 1;
constexpr std::uint8_t kFloat = 2;
constexpr std::uint8_t kBfloat = 4;
constexpr std::uint8_t kBoolean = 6;

constexpr std::array kRows = {
#define PLIANT_DTYPE(Name, name, Storage, bytes, numpy, onnx, Class) \
  TypeRow{numpy, {DType::k##Name == DType::kBF16 ? kBfloat : k##Class, (bytes)*8}, onnx},
#include <pliant/dtypes.def>
};

/// By the numbers of ONNX's element types.
constexpr std::array kOnnxNames = {
    "",
    "tensor(float)",
    "tensor(uint8)",
    "tensor(int8)",
    "tensor(uint16)",
    "tensor(int16)",
    "tensor(int32)",
    "tensor(int64)",
    "tensor(string)",
    "tensor(bool)",
    "tensor(float16)",
    "tensor(double)",
    "tensor(uint32)",
    "tensor(uint64)",
    "tensor(complex64)",
    "tensor(complex128)",
    "tensor(bfloat16)",
};

const TypeRow& row(DType dtype) {
  return kRows[static_cast<std::size_t>(dtype)];
}

py::dtype bfloat16() {
  try {
    return py::dtype::from_args(py::module_::import("ml_dtypes").attr("bfloat16"));
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ImportError)) {
      throw;
    }
  }
  throw py::import_error(
      "NumPy has no bfloat16 of its own: install ml_dtypes (pip install ml_dtypes), or take the "
      "outputs by run_tensors(), which needs no NumPy type");
}

}  // namespace

std::optional<DType> from_numpy(const py::dtype& dtype) {
  const char kind = dtype.kind();
  const auto size = static_cast<std::size_t>(dtype.itemsize());
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    const auto candidate = static_cast<DType>(i);
    if (kRows[i].numpy[0] != kind || byte_size(candidate) != size) {
      continue;
    }
    // ml_dtypes' types are of kind "void", as raw bytes are; only the name tells.
    if (candidate != DType::kBF16 ||
        py::str(dtype.attr("name")).cast<std::string>() == "bfloat16") {
      return candidate;
    }
  }
  return std::nullopt;
}

py::dtype to_numpy(DType dtype) {
  // Never destroyed: the interpreter may be gone by then.
  static auto* const made = new std::array<py::object, kRows.size()>;
  py::object& slot = (*made)[static_cast<std::size_t>(dtype)];
  if (!slot) {
    slot = dtype == DType::kBF16 ? bfloat16() : py::dtype(row(dtype).numpy);
  }
  return py::reinterpret_borrow<py::dtype>(slot);
}

const char* onnx_type_name(DType dtype) {
  return kOnnxNames[static_cast<std::size_t>(row(dtype).onnx)];
}

DlpackType to_dlpack(DType dtype) {
  return row(dtype).dlpack;
}

std::optional<DType> from_dlpack(DlpackType type) {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].dlpack == type) {
      return static_cast<DType>(i);
    }
  }
  return std::nullopt;
}

}  // namespace pliant::python
