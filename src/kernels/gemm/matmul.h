#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/gemm.h"
#include "kernels/kernel.h"
#include "tensor/dtype.h"

// The rows MATMUL: products of matrices of any strides and element type, over broadcast batch axes.

namespace pliant::kernels::gemm {

/// Batch axes left after merging, outermost first; strides in elements of each tensor, 0 where it
/// is broadcast.
struct BatchAxes {
  static constexpr int kMaxCount = 6;
  int count = 0;
  std::int64_t extent[kMaxCount] = {};
  std::int64_t a[kMaxCount] = {};
  std::int64_t b[kMaxCount] = {};
  std::int64_t c[kMaxCount] = {};
  std::int64_t packed_b[kMaxCount] = {};  ///< in floats, between packed matrices
};

/// c[batch] = a[batch] * b[batch]. Any strides of a and b; rows of c have inner stride 1.
struct MatMulArguments {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  const void* a = nullptr;
  std::int64_t a_row_stride = 0;
  std::int64_t a_k_stride = 0;
  const void* b = nullptr;
  std::int64_t b_k_stride = 0;
  std::int64_t b_column_stride = 0;
  void* c = nullptr;
  std::int64_t c_row_stride = 0;
  BatchAxes batch;
  /// b in panels for the level's micro-kernels, made before, or null.
  const float* packed_b = nullptr;
  /// The number of workers that scratch memory was asked for.
  int worker_count = 1;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(a);
    visit(b);
    visit(c);
    visit(packed_b);
  }
};

/// How matmul_f32(), matmul_f16() and matmul_bf16() go about a product, for people who ask.
struct MatMulForm {
  enum class RightHandSide : std::uint8_t { kPackedBefore, kPackedInRun, kReadInPlace };
  RightHandSide b = RightHandSide::kPackedInRun;
  bool copies_a = false;  ///< rows of a do not lie in a row of f32
  std::int64_t batches = 1;
  bool batches_in_parallel = false;  ///< else one after the other, each split by itself
  GemmForm product;
};
/// Pointers are not looked at, only whether packed_b is there.
[[nodiscard]] MatMulForm matmul_form(const MatMulArguments& arguments, DType dtype, CpuLevel level);

/// Scratch memory that matmul() needs for these arguments (pointers are not looked at, only whether
/// packed_b is there).
[[nodiscard]] std::size_t matmul_scratch_bytes(const MatMulArguments& arguments, DType dtype,
                                               CpuLevel level);

/// Floats that b takes when it is packed once: all its distinct matrices; fills batch.packed_b.
[[nodiscard]] std::int64_t lay_out_packed_b(MatMulArguments& arguments, CpuLevel level);
/// Packs all distinct matrices of b (f32, f16 or bf16) to `panels`.
void pack_all_of_b(const MatMulArguments& arguments, DType dtype, CpuLevel level, float* panels);

// Kernels by element type: f32, then everything that has a short obvious loop.
//
// Types:   f32: the chain of gemm.h. f16, bf16: the same in f32, rounded once at the end. f64:
//          multiplied and added in ascending k. Integers: modulo 2^bits, so signed and unsigned
//          ones share kernels.
// Threads: all split batches, panels or rows over the context's loop.
void matmul_f32(const MatMulArguments& arguments, const KernelContext& context);
void matmul_f16(const MatMulArguments& arguments, const KernelContext& context);
void matmul_bf16(const MatMulArguments& arguments, const KernelContext& context);
/// T: double or an unsigned integer.
template <class T>
void matmul_generic(const MatMulArguments& arguments, const KernelContext& context);

/// The kernel for an element type (any but bool).
using MatMulKernel = void (*)(const MatMulArguments&, const KernelContext&);
[[nodiscard]] MatMulKernel matmul_kernel(DType dtype);

}  // namespace pliant::kernels::gemm
