#pragma once

#include <string>
#include <string_view>

#include <pliant/result.h>
#include <pliant/tensor.h>

namespace pliant::testing {

/// The bytes of a file; kIo when it cannot be read.
[[nodiscard]] Result<std::string> read_file(const std::string& path);

/// A tensor from a recorded `.pb` file (an ONNX TensorProto) or `.npy` file (NumPy, version 1).
/// kUnsupported for what is not a tensor of one of Pliant's element types.
[[nodiscard]] Result<Tensor> read_tensor_file(const std::string& path);

/// A model with every extent of every input replaced by a symbol of its own, and without shapes of
/// outputs and intermediate values.
[[nodiscard]] Result<std::string> dynamise(std::string_view model);

/// How far results may be from what was recorded.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// By element type: f16 and bf16 are rounded after every instruction.
struct Tolerances {
  Tolerance full;  ///< f32 and f64
  Tolerance half;  ///< f16 and bf16
};

/// Empty when `found` equals `expected` (floats: within their tolerance, NaN and infinities alike), else
/// what differs.
[[nodiscard]] std::string difference(const Tensor& found, const Tensor& expected,
                                     const Tolerances& tolerances);

}  // namespace pliant::testing
