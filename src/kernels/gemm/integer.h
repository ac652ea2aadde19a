#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/matmul.h"
#include "kernels/kernel.h"

// MATMUL_INTEGER: products of 8-bit matrices in i32.
//
// sum over k of (a - a_zero)(b - b_zero) = sum of (a - a_zero) b  -  b_zero * sum of (a - a_zero)
//
// a is copied as 16-bit differences together with the sums of its rows, b as 16-bit numbers in
// panels of pairs of k, [n / columns][k / 2][columns][2], so that one instruction multiplies and
// adds pairs. Everything is exact modulo 2^32 (as i32 is defined to wrap), whatever the order.

namespace pliant::kernels::gemm {

struct IntegerMatMulArguments {
  /// Sizes, strides and batch axes; packed_b is not used (batch.packed_b counts 16-bit elements).
  MatMulArguments product;
  bool a_is_signed = false;
  bool b_is_signed = false;
  const void* a_zero_point = nullptr;    ///< type of a; null means 0
  std::int64_t a_zero_point_stride = 0;  ///< per row; 0: one for all
  std::int64_t a_zero_point_count =
      1;  ///< rows of one matrix; row i has that of i modulo the count
  const void* b_zero_point = nullptr;
  std::int64_t b_zero_point_stride = 0;  ///< per column
  const std::int16_t* packed_b = nullptr;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    product.each_address(visit);
    visit(a_zero_point);
    visit(b_zero_point);
    visit(packed_b);
  }
};

/// One tile: rows of differences times a panel, all columns of the panel, to `sums` [rows,
/// columns].
struct IntegerTileArguments {
  std::int64_t pairs = 0;           ///< of k
  const std::int16_t* a = nullptr;  ///< [rows, 2 * pairs]
  std::int64_t a_row_stride = 0;
  const std::int16_t* b = nullptr;  ///< [pairs, columns, 2]
  std::int32_t* sums = nullptr;
};
inline constexpr int kIntegerTileRows = 4;
inline constexpr int kMaxIntegerColumns = 32;
struct IntegerKernels {
  CpuLevel level = CpuLevel::kPortable;
  int columns = 0;                                      ///< of a panel
  void (*tile)(const IntegerTileArguments&) = nullptr;  ///< kIntegerTileRows rows
};
[[nodiscard]] const IntegerKernels& integer_kernels(CpuLevel level);

[[nodiscard]] std::size_t integer_matmul_scratch_bytes(const IntegerMatMulArguments& arguments,
                                                       CpuLevel level);

/// 16-bit elements that b takes when it is packed once; fills product.batch.packed_b.
[[nodiscard]] std::int64_t lay_out_packed_b(IntegerMatMulArguments& arguments, CpuLevel level);
void pack_all_of_b(const IntegerMatMulArguments& arguments, CpuLevel level, std::int16_t* panels);

/// Shapes and strides as MATMUL; c is i32.
/// Threads: splits rows and panels over the context's loop.
void matmul_integer(const IntegerMatMulArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels::gemm
