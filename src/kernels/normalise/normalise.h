#pragma once

#include "kernels/elementwise/elementwise.h"
#include "kernels/normalise/normalise_row.h"

namespace pliant::kernels {

/// A parameter (scale, bias) as neighbours of the computing type: read where it is, or copied and
/// converted into scratch memory when the instruction runs.
struct NormaliseParameter {
  const std::byte* data = nullptr;  ///< null: not given, or prepared
  bool prepared = false;
  std::int64_t scratch_offset = 0;  ///< where `copy` puts it
  ElementwiseArguments copy;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(data);
    copy.each_address(visit);
  }
};

/// LAYER_NORM and RMS_NORM: `row_count` rows of `row_length` neighbours, one after another.
struct LayerNormArguments {
  enum class Kind : std::uint8_t { kLayerNorm, kRmsNorm };
  Kind kind = Kind::kLayerNorm;
  const std::byte* x = nullptr;
  std::byte* y = nullptr;
  std::int64_t row_count = 0;
  std::int64_t row_length = 0;
  double epsilon = 0;
  NormaliseParameter scale;  ///< row_length elements
  NormaliseParameter bias;
  float* mean = nullptr;               ///< per row, or null
  float* inverse_deviation = nullptr;  ///< per row, or null
  DType dtype = DType::kF32;
  DenseLoop to_f32 = nullptr;  ///< for 16-bit floats
  DenseLoop from_f32 = nullptr;
  std::int64_t rows_offset =
      0;  ///< in scratch memory: rows of 16-bit floats as f32, one per worker

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(y);
    scale.each_address(visit);
    bias.each_address(visit);
    visit(mean);
    visit(inverse_deviation);
  }
};

/// Normalises each row by its own mean and variance (or mean square), in two passes.
///
/// Numbers: sums in the order of reduce/block_reduction.h, in f32 (f64 for f64); 16-bit floats are
///          rounded once, at the end.
/// Threads: splits the rows over context.parallel.
void layer_norm(const LayerNormArguments& arguments, const KernelContext& context);

/// GROUP_NORM: x is [batch, channels, positions] in row-major order; groups divide the channels.
struct GroupNormArguments {
  const std::byte* x = nullptr;
  std::byte* y = nullptr;
  std::int64_t batch = 0;
  std::int64_t channels = 0;
  std::int64_t positions = 0;
  std::int64_t groups = 1;
  double epsilon = 0;
  NormaliseParameter scale;  ///< one element per channel
  NormaliseParameter bias;
  DType dtype = DType::kF32;
  DenseLoop to_f32 = nullptr;
  DenseLoop from_f32 = nullptr;
  std::int64_t rows_offset = 0;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(y);
    scale.each_address(visit);
    bias.each_address(visit);
  }
};
void group_norm(const GroupNormArguments& arguments, const KernelContext& context);

/// BATCH_NORM: given statistics fold into one factor and one summand per channel, and x * a + b runs
/// as an elementwise loop over any strides. The folding is in f64, the loop in the computing type.
struct BatchNormArguments {
  struct Vector {
    const std::byte* data = nullptr;
    std::int64_t stride = 1;
  };
  Vector scale;
  Vector bias;
  Vector mean;
  Vector variance;
  std::int64_t channels = 0;
  double epsilon = 0;
  DType dtype = DType::kF32;
  /// Inputs 1 and 2 (a and b) lie in scratch memory; their data is filled in by the kernel.
  ElementwiseArguments loop;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(scale.data);
    visit(bias.data);
    visit(mean.data);
    visit(variance.data);
    loop.each_address(visit);
  }
};
void batch_norm(const BatchNormArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
