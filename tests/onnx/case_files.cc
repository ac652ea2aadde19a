#include "case_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

#include "base/result.h"
#include "support/as_double.h"
#include "support/protobuf_wire.h"
#include "tensor/dtype.h"

namespace pliant::testing {
namespace {

// Field numbers of the ONNX format.
constexpr int kModelGraph = 7, kGraphInput = 11, kGraphOutput = 12, kGraphValueInfo = 13;
constexpr int kValueType = 2, kTypeTensor = 1, kTensorTypeShape = 2, kShapeDim = 1, kDimParam = 2;
constexpr int kTensorDims = 1, kTensorType = 2, kTensorFloats = 4, kTensorInts = 5,
              kTensorLongs = 7, kTensorRaw = 9, kTensorDoubles = 10, kTensorUnsigned = 11;

Error unreadable(const std::string& what) {
  return make_error(ErrorCode::kCorrupt, "cannot read {}", what);
}

Result<Tensor> tensor_from_bytes(DType dtype, const std::vector<std::int64_t>& shape,
                                 std::string_view bytes) {
  PLIANT_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(dtype, shape));
  if (tensor.byte_size() != bytes.size()) {
    return unreadable("a tensor whose data does not fit its shape");
  }
  if (!bytes.empty()) {
    std::memcpy(tensor.mutable_data(), bytes.data(), bytes.size());
  }
  return tensor;
}

/// Elements of a list of whole numbers, narrowed to the element's size.
std::string narrowed(const std::vector<std::uint64_t>& values, std::size_t size) {
  std::string bytes;
  for (const std::uint64_t value : values) {
    bytes.append(reinterpret_cast<const char*>(&value), size);
  }
  return bytes;
}

Result<Tensor> read_tensor_message(std::string_view bytes) {
  const auto fields = read_fields(bytes);
  if (!fields) {
    return unreadable("a tensor message");
  }
  std::vector<std::int64_t> shape;
  for (const std::uint64_t extent : read_varints(*fields, kTensorDims)) {
    shape.push_back(static_cast<std::int64_t>(extent));
  }
  std::optional<DType> dtype;
  std::string data;
  for (const WireField& field : *fields) {
    if (field.number == kTensorType && field.kind == WireField::Kind::kVarint) {
      dtype = dtype_from_onnx(static_cast<int>(field.value));
    } else if (field.number == kTensorRaw || field.number == kTensorFloats ||
               field.number == kTensorDoubles) {
      data += field.bytes;
    }
  }
  if (!dtype) {
    return make_error(ErrorCode::kUnsupported, "not a tensor of a known element type");
  }
  for (const int number : {kTensorInts, kTensorLongs, kTensorUnsigned}) {
    data += narrowed(read_varints(*fields, number), byte_size(*dtype));
  }
  return tensor_from_bytes(*dtype, shape, data);
}

std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t start = text.find(before);
  if (start == std::string_view::npos) {
    return {};
  }
  text.remove_prefix(start + before.size());
  return text.substr(0, text.find(after));
}

/// Version 1 alone, little-endian, C order: what the recorded cases use.
Result<Tensor> read_npy(std::string_view bytes) {
  constexpr std::size_t kPrefix = 10;
  if (bytes.size() < kPrefix || bytes.substr(0, 6) != "\x93NUMPY" || bytes[6] != 1) {
    return unreadable("a NumPy file");
  }
  std::uint16_t header_size = 0;
  std::memcpy(&header_size, bytes.data() + 8, sizeof(header_size));
  if (bytes.size() < kPrefix + header_size) {
    return unreadable("a NumPy header");
  }
  const std::string_view header = bytes.substr(kPrefix, header_size);
  const std::string_view code = between(header, "'descr': '", "'");
  const auto dtype = code.size() > 1 ? dtype_from_numpy(code.substr(1)) : std::nullopt;
  if (!dtype || header.find("'fortran_order': False") == std::string_view::npos) {
    return unreadable("a NumPy header");
  }
  std::vector<std::int64_t> shape;
  std::string extents(between(header, "'shape': (", ")"));
  for (char* rest = extents.data(); *rest != 0;) {
    char* end = nullptr;
    const long long extent = std::strtoll(rest, &end, 10);
    if (end == rest) {
      break;
    }
    shape.push_back(extent);
    rest = *end == ',' ? end + 1 : end;
  }
  return tensor_from_bytes(*dtype, shape, bytes.substr(kPrefix + header_size));
}

/// A copy of a message in which the fields with one number went through `change`.
template <class Change>
Result<std::string> rewrite(std::string_view message, int number, Change change) {
  const auto fields = read_fields(message);
  if (!fields) {
    return unreadable("a message of a model");
  }
  WireWriter writer;
  for (const WireField& field : *fields) {
    if (field.number != number) {
      writer.copy(field);
      continue;
    }
    PLIANT_ASSIGN_OR_RETURN(const std::string changed, change(field.bytes));
    writer.bytes(number, changed);
  }
  return writer.result();
}

Result<std::string> dynamise_input(std::string_view value_info, int input) {
  return rewrite(value_info, kValueType, [&](std::string_view type) {
    return rewrite(type, kTypeTensor, [&](std::string_view tensor_type) {
      return rewrite(tensor_type, kTensorTypeShape, [&](std::string_view shape) {
        int axis = 0;
        return rewrite(shape, kShapeDim, [&](std::string_view) -> Result<std::string> {
          WireWriter dimension;
          dimension.bytes(kDimParam, fmt::format("input{}axis{}", input, axis++));
          return dimension.result();
        });
      });
    });
  });
}

Result<std::string> dynamise_graph(std::string_view graph) {
  const auto fields = read_fields(graph);
  if (!fields) {
    return unreadable("a graph");
  }
  WireWriter writer;
  int input = 0;
  for (const WireField& field : *fields) {
    if (field.number == kGraphInput) {
      PLIANT_ASSIGN_OR_RETURN(const std::string changed, dynamise_input(field.bytes, input++));
      writer.bytes(kGraphInput, changed);
    } else if (field.number == kGraphOutput) {
      PLIANT_ASSIGN_OR_RETURN(const std::string untyped, [&]() -> Result<std::string> {
        WireWriter output;
        const auto parts = read_fields(field.bytes);
        for (const WireField& part : parts.value_or(std::vector<WireField>())) {
          if (part.number != kValueType) {
            output.copy(part);
          }
        }
        return output.result();
      }());
      writer.bytes(kGraphOutput, untyped);
    } else if (field.number != kGraphValueInfo) {
      writer.copy(field);
    }
  }
  return writer.result();
}

bool is_close(double found, double expected, Tolerance tolerance) {
  if (std::isnan(expected) || std::isnan(found)) {
    return std::isnan(expected) && std::isnan(found);
  }
  if (std::isinf(expected) || std::isinf(found)) {
    return expected == found;
  }
  return std::abs(found - expected) <= tolerance.absolute + tolerance.relative * std::abs(expected);
}

template <class Element>
std::string element_difference(const Tensor& found, const Tensor& expected, Tolerance tolerance) {
  const auto found_values = found.values<Element>();
  const auto expected_values = expected.values<Element>();
  for (std::size_t i = 0; i < expected_values.size(); ++i) {
    if constexpr (std::is_integral_v<Element>) {
      if (found_values[i] != expected_values[i]) {
        return fmt::format("element {} is {}, expected {}", i, found_values[i], expected_values[i]);
      }
    } else if (!is_close(as_double(found_values[i]), as_double(expected_values[i]), tolerance)) {
      return fmt::format("element {} is {}, expected {}", i, as_double(found_values[i]),
                         as_double(expected_values[i]));
    }
  }
  return {};
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) {
    return make_error(ErrorCode::kIo, "cannot read file: {}", path);
  }
  return bytes;
}

Result<Tensor> read_tensor_file(const std::string& path) {
  PLIANT_ASSIGN_OR_RETURN(const std::string bytes, read_file(path));
  return path.ends_with(".npy") ? read_npy(bytes) : read_tensor_message(bytes);
}

Result<std::string> dynamise(std::string_view model) {
  return rewrite(model, kModelGraph, dynamise_graph);
}

std::string difference(const Tensor& found, const Tensor& expected, const Tolerances& tolerances) {
  if (found.dtype() != expected.dtype()) {
    return fmt::format("element type is {}, expected {}", name(found.dtype()),
                       name(expected.dtype()));
  }
  if (found.shape() != expected.shape()) {
    return fmt::format("shape is {}, expected {}", found.shape(), expected.shape());
  }
  return visit_dtype(expected.dtype(), [&](auto element) {
    return element_difference<decltype(element)>(
        found, expected, byte_size(expected.dtype()) == 2 ? tolerances.half : tolerances.full);
  });
}

}  // namespace pliant::testing
