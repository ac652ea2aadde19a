#include "tensor/dtype.h"

#include <pliant/dtype.h>

namespace pliant {
namespace {

struct Row {
  std::string_view name;
  std::size_t bytes;
  std::string_view numpy;
  int onnx;
  DTypeClass dtype_class;
};

constexpr Row kRows[] = {
#define PLIANT_DTYPE(Name, text, Type, bytes, numpy, onnx, Class) \
  {text, bytes, numpy, onnx, DTypeClass::k##Class},
#include <pliant/dtypes.def>
};

const Row& row(DType dtype) {
  return kRows[static_cast<std::size_t>(dtype)];
}

template <class Matches>
std::optional<DType> find(Matches&& matches) {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (matches(kRows[i])) {
      return static_cast<DType>(i);
    }
  }
  return std::nullopt;
}

}  // namespace

std::size_t byte_size(DType dtype) {
  return row(dtype).bytes;
}
std::string_view name(DType dtype) {
  return row(dtype).name;
}
int onnx_number(DType dtype) {
  return row(dtype).onnx;
}
DTypeClass dtype_class(DType dtype) {
  return row(dtype).dtype_class;
}

std::optional<DType> dtype_from_name(std::string_view name) {
  return find([&](const Row& r) { return r.name == name; });
}

std::optional<DType> dtype_from_onnx(int number) {
  return find([&](const Row& r) { return r.onnx == number; });
}

std::optional<DType> dtype_from_numpy(std::string_view code) {
  return find([&](const Row& r) { return r.numpy == code; });
}

}  // namespace pliant
