#include "kernels/gemm/integer.h"

#include <algorithm>

#include "base/rounding.h"
#include "kernels/gemm/batch_axes.h"

namespace pliant::kernels::gemm {

#define INTEGER_KERNELS(Level, object) extern const IntegerKernels object;
#include "kernels/gemm/integer_kernels.inc"

const IntegerKernels& integer_kernels(CpuLevel level) {
#define INTEGER_KERNELS(Level, object) \
  if (level == CpuLevel::k##Level) {   \
    return object;                     \
  }
#include "kernels/gemm/integer_kernels.inc"
  return kIntegerKernelsPortable;
}

namespace {

constexpr std::int64_t kElementsPerPiece = 32 << 10;

/// An 8-bit matrix or vector whose signedness is known at run time.
struct Bytes {
  const std::uint8_t* data = nullptr;
  bool is_signed = false;

  [[nodiscard]] std::int32_t at(std::int64_t index) const {
    const std::uint8_t byte = data[index];
    return is_signed ? static_cast<std::int8_t>(byte) : byte;
  }
};

/// Where the prepared operands of one product lie in scratch memory.
struct Scratch {
  std::int64_t pairs = 0;
  std::int64_t row_sum_bytes = 0;
  std::int64_t a_bytes = 0;
  std::int64_t b_bytes = 0;
};

std::int64_t packed_elements(const MatMulArguments& g, const IntegerKernels& kernels) {
  return ceil_divide(g.n, kernels.columns) * kernels.columns * ceil_divide(g.k, 2) * 2;
}

Scratch lay_out_scratch(const IntegerMatMulArguments& arguments, const IntegerKernels& kernels) {
  const MatMulArguments& g = arguments.product;
  Scratch scratch;
  scratch.pairs = ceil_divide(g.k, 2);
  // The last tile may read rows past m: they exist, and their sums are not used.
  const std::int64_t rows = ceil_divide(g.m, kIntegerTileRows) * kIntegerTileRows;
  scratch.row_sum_bytes = ceil_divide(rows * 4, 64) * 64;
  scratch.a_bytes = ceil_divide(rows * scratch.pairs * 4, 64) * 64;
  scratch.b_bytes = arguments.packed_b == nullptr ? packed_elements(g, kernels) * 2 : 0;
  return scratch;
}

void copy_rows(const IntegerMatMulArguments& arguments, const Bytes& a, const Scratch& scratch,
               std::int16_t* to, std::int32_t* row_sums, ParallelFor& parallel) {
  const MatMulArguments& g = arguments.product;
  const Bytes zero_points{static_cast<const std::uint8_t*>(arguments.a_zero_point),
                          arguments.a_is_signed};
  const std::int64_t rows = ceil_divide(g.m, kIntegerTileRows) * kIntegerTileRows;
  const std::int64_t grain =
      std::max<std::int64_t>(1, kElementsPerPiece / std::max<std::int64_t>(1, g.k));
  parallel.run(rows, grain, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::int16_t* row = to + i * scratch.pairs * 2;
      std::fill(row, row + scratch.pairs * 2, std::int16_t{0});
      if (i >= g.m) {
        continue;
      }
      const std::int32_t zero =
          zero_points.data == nullptr
              ? 0
              : zero_points.at(i % arguments.a_zero_point_count * arguments.a_zero_point_stride);
      std::uint32_t sum = 0;
      for (std::int64_t k = 0; k < g.k; ++k) {
        const std::int32_t difference = a.at(i * g.a_row_stride + k * g.a_k_stride) - zero;
        row[k] = static_cast<std::int16_t>(difference);
        sum += static_cast<std::uint32_t>(difference);
      }
      row_sums[i] = static_cast<std::int32_t>(sum);
    }
  });
}

void pack_matrix(const MatMulArguments& g, const Bytes& b, const IntegerKernels& kernels,
                 std::int16_t* panels, ParallelFor& parallel) {
  const std::int64_t columns = kernels.columns;
  const std::int64_t pairs = ceil_divide(g.k, 2);
  const std::int64_t grain =
      std::max<std::int64_t>(1, kElementsPerPiece / std::max<std::int64_t>(1, g.k * columns));
  parallel.run(ceil_divide(g.n, columns), grain, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t panel = begin; panel < end; ++panel) {
      std::int16_t* to = panels + panel * pairs * columns * 2;
      std::fill(to, to + pairs * columns * 2, std::int16_t{0});
      const std::int64_t first = panel * columns;
      const std::int64_t count = std::min(columns, g.n - first);
      for (std::int64_t k = 0; k < g.k; ++k) {
        std::int16_t* pair = to + k / 2 * columns * 2 + k % 2;
        for (std::int64_t j = 0; j < count; ++j) {
          pair[j * 2] =
              static_cast<std::int16_t>(b.at(k * g.b_k_stride + (first + j) * g.b_column_stride));
        }
      }
    }
  });
}

/// Rows [row, row + rows) of one panel: multiplies, takes the zero point of b off and stores.
void multiply_tile(const IntegerMatMulArguments& arguments, const IntegerKernels& kernels,
                   const Scratch& scratch, const std::int16_t* a, const std::int32_t* row_sums,
                   const std::int16_t* panels, std::int32_t* c, std::int64_t row,
                   std::int64_t panel) {
  const MatMulArguments& g = arguments.product;
  alignas(64) std::int32_t sums[kIntegerTileRows * kMaxIntegerColumns];
  const std::int64_t columns = kernels.columns;
  kernels.tile({.pairs = scratch.pairs,
                .a = a + row * scratch.pairs * 2,
                .a_row_stride = scratch.pairs * 2,
                .b = panels + panel * scratch.pairs * columns * 2,
                .sums = sums});
  const Bytes zero_points{static_cast<const std::uint8_t*>(arguments.b_zero_point),
                          arguments.b_is_signed};
  const std::int64_t first = panel * columns;
  const std::int64_t count = std::min(columns, g.n - first);
  const std::int64_t rows = std::min<std::int64_t>(kIntegerTileRows, g.m - row);
  for (std::int64_t i = 0; i < rows; ++i) {
    std::int32_t* to = c + (row + i) * g.c_row_stride + first;
    const std::int32_t* from = sums + i * columns;
    if (zero_points.data == nullptr) {
      std::copy(from, from + count, to);
      continue;
    }
    const std::uint32_t row_sum = static_cast<std::uint32_t>(row_sums[row + i]);
    for (std::int64_t j = 0; j < count; ++j) {
      const auto zero =
          static_cast<std::uint32_t>(zero_points.at((first + j) * arguments.b_zero_point_stride));
      to[j] = static_cast<std::int32_t>(static_cast<std::uint32_t>(from[j]) - zero * row_sum);
    }
  }
}

}  // namespace

std::size_t integer_matmul_scratch_bytes(const IntegerMatMulArguments& arguments, CpuLevel level) {
  const MatMulArguments& g = arguments.product;
  constexpr std::size_t kTooMuch = std::size_t{1} << 62;  // no allocator grants it
  const double m = static_cast<double>(g.m) + kIntegerTileRows;
  const double n = static_cast<double>(g.n) + kMaxIntegerColumns;
  const double k = static_cast<double>(g.k) + 2.0;
  if (m * k + k * n > 0x1p50) {
    return kTooMuch;
  }
  const Scratch scratch = lay_out_scratch(arguments, integer_kernels(level));
  return static_cast<std::size_t>(scratch.row_sum_bytes + scratch.a_bytes + scratch.b_bytes);
}

std::int64_t lay_out_packed_b(IntegerMatMulArguments& arguments, CpuLevel level) {
  return lay_out_packed(arguments.product.batch,
                        packed_elements(arguments.product, integer_kernels(level)));
}

void pack_all_of_b(const IntegerMatMulArguments& arguments, CpuLevel level, std::int16_t* panels) {
  const MatMulArguments& g = arguments.product;
  const BatchAxes distinct = axes_of_b(g.batch);
  SerialFor serial;
  const std::int64_t count = batch_count(distinct);
  for (std::int64_t index = 0; index < count; ++index) {
    const BatchOffsets offsets = batch_offsets(distinct, index);
    pack_matrix(g, {static_cast<const std::uint8_t*>(g.b) + offsets.b, arguments.b_is_signed},
                integer_kernels(level), panels + offsets.packed_b, serial);
  }
}

void matmul_integer(const IntegerMatMulArguments& arguments, const KernelContext& context) {
  const MatMulArguments& g = arguments.product;
  const IntegerKernels& kernels = integer_kernels(context.level);
  const Scratch scratch = lay_out_scratch(arguments, kernels);
  auto* row_sums = reinterpret_cast<std::int32_t*>(context.scratch);
  auto* a_rows = reinterpret_cast<std::int16_t*>(context.scratch + scratch.row_sum_bytes);
  auto* b_panels =
      reinterpret_cast<std::int16_t*>(context.scratch + scratch.row_sum_bytes + scratch.a_bytes);
  const std::int64_t tiles = ceil_divide(g.m, kIntegerTileRows);
  const std::int64_t panels = ceil_divide(g.n, kernels.columns);
  const std::uint8_t* last_b = nullptr;
  const std::int64_t batches = batch_count(g.batch);
  for (std::int64_t index = 0; index < batches && !context.parallel.is_stopped(); ++index) {
    const BatchOffsets offsets = batch_offsets(g.batch, index);
    const Bytes a{static_cast<const std::uint8_t*>(g.a) + offsets.a, arguments.a_is_signed};
    const Bytes b{static_cast<const std::uint8_t*>(g.b) + offsets.b, arguments.b_is_signed};
    copy_rows(arguments, a, scratch, a_rows, row_sums, context.parallel);
    if (arguments.packed_b == nullptr && b.data != last_b) {
      pack_matrix(g, b, kernels, b_panels, context.parallel);
      last_b = b.data;
    }
    const std::int16_t* b_packed =
        arguments.packed_b == nullptr ? b_panels : arguments.packed_b + offsets.packed_b;
    std::int32_t* c = static_cast<std::int32_t*>(g.c) + offsets.c;
    const std::int64_t work = std::max<std::int64_t>(1, g.k * kIntegerTileRows * kernels.columns);
    const std::int64_t grain = std::max<std::int64_t>(1, (256 << 10) / work);
    // Tiles of one panel follow each other, so that the panel stays in the cache.
    context.parallel.run(panels * tiles, grain, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t at = begin; at < end; ++at) {
        multiply_tile(arguments, kernels, scratch, a_rows, row_sums, b_packed, c,
                      at % tiles * kIntegerTileRows, at / tiles);
      }
    });
  }
}

}  // namespace pliant::kernels::gemm
