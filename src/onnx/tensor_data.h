#pragma once

#include <unordered_map>

#include "onnx/external_data.h"
#include "onnx/onnx.pb.h"
#include "program/program.h"

namespace pliant::onnx {

/// The element type with ONNX's number, or kUnsupported with the type's name in ONNX.
[[nodiscard]] Result<DType> read_element_type(int number);

/// Turns tensors of a model file into constants. Raw bytes are moved out of the tensor and external
/// data stays in its mapped file: neither is copied (but for bools, which are made 0 or 1, and for
/// data that is not aligned). A tensor may be asked for again, as in a function that is called
/// twice.
class TensorReader {
 public:
  explicit TensorReader(ExternalData external) : external_(std::move(external)) {}

  /// Errors: kUnsupported for element types that Pliant does not have (strings, 4 and 8 bit floats,
  /// 4 bit integers, complex numbers), kCorrupt for negative or too large extents and for data
  /// whose size does not fit them exactly, those of ExternalData.
  [[nodiscard]] Result<StoredTensor> read(proto::Tensor& tensor);

 private:
  Result<StoredTensor> read_once(proto::Tensor& tensor);

  ExternalData external_;
  std::unordered_map<const proto::Tensor*, StoredTensor> seen_;
};

}  // namespace pliant::onnx
