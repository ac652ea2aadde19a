#include "onnx/tensor_data.h"

#include <array>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/checked_math.h"
#include "tensor/dtype.h"

namespace pliant::onnx {
namespace {

static_assert(std::endian::native == std::endian::little, "raw_data is little-endian");

/// Kernels read elements in place, so they must lie at a multiple of the largest element's size.
constexpr std::size_t kElementAlignment = 8;

/// Names of the standard's element types that Pliant does not have, by number.
constexpr std::array kOtherTypes = {std::pair{8, "string"},
                                    std::pair{14, "complex64"},
                                    std::pair{15, "complex128"},
                                    std::pair{17, "float8e4m3fn"},
                                    std::pair{18, "float8e4m3fnuz"},
                                    std::pair{19, "float8e5m2"},
                                    std::pair{20, "float8e5m2fnuz"},
                                    std::pair{21, "uint4"},
                                    std::pair{22, "int4"},
                                    std::pair{23, "float4e2m1"},
                                    std::pair{24, "float8e8m0"},
                                    std::pair{25, "uint2"},
                                    std::pair{26, "int2"}};

Result<Shape> read_shape(const proto::Tensor& tensor) {
  if (static_cast<std::size_t>(tensor.dims_size()) > kMaxRank) {
    return make_error(ErrorCode::kUnsupported, "a tensor has more than {} axes: {}", kMaxRank,
                      tensor.dims_size());
  }
  Shape shape;
  for (const std::int64_t extent : tensor.dims()) {
    if (extent < 0) {
      return make_error(ErrorCode::kCorrupt, "a tensor has a negative extent: {}", extent);
    }
    shape.push_back(extent);
  }
  return shape;
}

StoredTensor adopt(std::shared_ptr<const void> owner, const void* data, std::size_t size,
                   DType dtype, const Shape& shape) {
  if (dtype == DType::kBool) {  // any byte but 0 means true, but C++ knows only 0 and 1
    StoredTensor copy = make_constant(dtype, shape);
    for (std::size_t i = 0; i < size; ++i) {
      copy.view.as<bool>()[i] = static_cast<const unsigned char*>(data)[i] != 0;
    }
    return copy;
  }
  if (reinterpret_cast<std::uintptr_t>(data) % kElementAlignment != 0) {
    StoredTensor copy = make_constant(dtype, shape);
    if (size > 0) {
      std::memcpy(copy.view.data, data, size);
    }
    return copy;
  }
  auto storage = adopt_constant_storage(std::move(owner), data, size);
  return StoredTensor{contiguous_view(storage->data(), dtype, shape), std::move(storage)};
}

Error size_error(std::string_view field, std::size_t found, std::size_t expected) {
  return make_error(ErrorCode::kCorrupt,
                    "{} does not fit the tensor's shape and type: found {}, expected {}", field,
                    found, expected);
}

/// Numbers of one of the typed lists as elements. f16 and bf16 are stored as their bits.
template <class Element, class Number>
Element element_of_number(Number number) {
  if constexpr (std::is_same_v<Element, Half> || std::is_same_v<Element, BFloat16>) {
    return Element{static_cast<std::uint16_t>(number)};
  } else if constexpr (std::is_same_v<Element, bool>) {
    return number != 0;
  } else {
    return static_cast<Element>(number);
  }
}

template <class Element, class Numbers>
Result<StoredTensor> copy_numbers(const Numbers& numbers, std::string_view field,
                                  const Shape& shape) {
  const auto count = static_cast<std::size_t>(element_count(shape));
  if (static_cast<std::size_t>(numbers.size()) != count) {
    return size_error(field, static_cast<std::size_t>(numbers.size()), count);
  }
  StoredTensor result = make_constant(kDTypeOf<Element>, shape);
  auto* elements = result.view.template as<Element>();
  for (std::size_t i = 0; i < count; ++i) {
    elements[i] = element_of_number<Element>(numbers.Get(static_cast<int>(i)));
  }
  return result;
}

/// Where the standard keeps elements of a type when they are not raw.
template <class Element>
Result<StoredTensor> read_typed(const proto::Tensor& tensor, const Shape& shape) {
  if constexpr (std::is_same_v<Element, float>) {
    return copy_numbers<Element>(tensor.float_data(), "float_data", shape);
  } else if constexpr (std::is_same_v<Element, double>) {
    return copy_numbers<Element>(tensor.double_data(), "double_data", shape);
  } else if constexpr (std::is_same_v<Element, std::int64_t>) {
    return copy_numbers<Element>(tensor.int64_data(), "int64_data", shape);
  } else if constexpr (std::is_same_v<Element, std::uint64_t> ||
                       std::is_same_v<Element, std::uint32_t>) {
    return copy_numbers<Element>(tensor.uint64_data(), "uint64_data", shape);
  } else {
    return copy_numbers<Element>(tensor.int32_data(), "int32_data", shape);
  }
}

bool has_typed_data(const proto::Tensor& tensor) {
  return tensor.float_data_size() + tensor.int32_data_size() + tensor.int64_data_size() +
             tensor.double_data_size() + tensor.uint64_data_size() >
         0;
}

}  // namespace

Result<DType> read_element_type(int number) {
  if (const auto dtype = dtype_from_onnx(number)) {
    return *dtype;
  }
  for (const auto& [other, name] : kOtherTypes) {
    if (other == number) {
      return make_error(ErrorCode::kUnsupported, "element type {} is not supported", name);
    }
  }
  return make_error(ErrorCode::kCorrupt, "unknown element type: {}", number);
}

Result<StoredTensor> TensorReader::read(proto::Tensor& tensor) {
  if (const auto found = seen_.find(&tensor); found != seen_.end()) {
    return found->second;
  }
  PLIANT_ASSIGN_OR_RETURN(StoredTensor value, read_once(tensor));
  seen_.emplace(&tensor, value);
  return value;
}

Result<StoredTensor> TensorReader::read_once(proto::Tensor& tensor) {
  PLIANT_ASSIGN_OR_RETURN(const DType dtype, read_element_type(tensor.data_type()));
  PLIANT_ASSIGN_OR_RETURN(const Shape shape, read_shape(tensor));
  const auto count = checked_element_count(shape);
  const auto bytes =
      count ? checked_multiply(*count, static_cast<std::int64_t>(byte_size(dtype))) : std::nullopt;
  if (!bytes) {
    return make_error(ErrorCode::kCorrupt, "a tensor is too large: {}", to_string(shape));
  }
  const auto expected = static_cast<std::size_t>(*bytes);
  if (tensor.data_location() == proto::Tensor::EXTERNAL) {
    PLIANT_ASSIGN_OR_RETURN(ExternalBytes found, external_.find(tensor));
    if (found.byte_size != expected) {
      return size_error("external data", found.byte_size, expected);
    }
    return adopt(std::move(found.file), found.data, expected, dtype, shape);
  }
  if (tensor.has_raw_data() && has_typed_data(tensor)) {
    return make_error(ErrorCode::kCorrupt, "a tensor has both raw_data and a list of numbers");
  }
  if (tensor.has_raw_data()) {
    if (tensor.raw_data().size() != expected) {
      return size_error("raw_data", tensor.raw_data().size(), expected);
    }
    auto owner = std::make_shared<const std::string>(std::move(*tensor.mutable_raw_data()));
    const void* data = owner->data();
    return adopt(std::move(owner), data, expected, dtype, shape);
  }
  return visit_dtype(dtype,
                     [&](auto element) { return read_typed<decltype(element)>(tensor, shape); });
}

}  // namespace pliant::onnx
