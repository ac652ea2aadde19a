#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/dtype.h"

// QUANTIZE, DEQUANTIZE and DYNAMIC_QUANTIZE over row-major tensors seen as [outer, axis, inner].
//
//   quantised = saturate(round_to_even(x / scale) + zero_point)
//   x = (quantised - zero_point) * scale
//
// A scale belongs to the whole tensor, to one position of the axis, or to a block of positions along it
// (then scales have the shape [outer, blocks, inner]). Division, product and rounding are done in f32
// (f64 for i32 inputs of QUANTIZE), and the result is rounded once to its type.

namespace pliant::kernels::quantise {

enum class Granularity : std::uint8_t { kTensor, kAxis, kBlocks };

struct QuantiseArguments {
  Granularity granularity = Granularity::kTensor;
  std::int64_t outer = 1;
  std::int64_t axis = 1;
  std::int64_t inner = 1;
  std::int64_t block = 0;  ///< positions of the axis per scale with kBlocks
  const void* x = nullptr;
  DType x_dtype = DType::kF32;
  const void* scale = nullptr;
  DType scale_dtype = DType::kF32;
  const void* zero_point = nullptr;  ///< as many as scales; null means 0
  DType zero_point_dtype = DType::kU8;
  void* dst = nullptr;
  DType dst_dtype = DType::kU8;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(scale);
    visit(zero_point);
    visit(dst);
  }
};

/// x: f32, f16, bf16, i32; scale likewise; dst and zero_point: u8, i8, u16, i16. NaN becomes the smallest number.
/// Threads: splits the tensor over the context's loop.
void quantise(const QuantiseArguments& arguments, const KernelContext& context);

/// x and zero_point: u8, i8, u16, i16, i32; scale and dst: f32, f16, bf16.
/// Threads: splits the tensor over the context's loop.
void dequantise(const QuantiseArguments& arguments, const KernelContext& context);

struct DynamicQuantiseArguments {
  std::int64_t count = 0;
  const float* x = nullptr;
  std::uint8_t* dst = nullptr;  ///< each result may be null: not wanted
  float* scale = nullptr;
  std::uint8_t* zero_point = nullptr;
  int worker_count = 1;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(dst);
    visit(scale);
    visit(zero_point);
  }
};
/// Scratch memory: two floats per worker.
[[nodiscard]] std::size_t dynamic_quantise_scratch_bytes(int worker_count);

/// The range of x, widened to contain 0, is spread over 0..255; NaN does not widen it. A tensor of zeros
/// (or without elements) has scale 1 and zero point 0.
void dynamic_quantise(const DynamicQuantiseArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels::quantise
