// The innermost loops of the f32 matrix product, for the CPU level that the including file is
// compiled for. Tiles have kMaxTileRows rows at most; a panel has kColumns columns. Registers: rows
// * vectors for the chains, one per vector of B, one for the element of A: 16 at 6 x 2, 29 at 6
// x 4.

#include "kernels/gemm/gemm.h"
#include "kernels/simd/vector.h"

// Without complete unrolling the accumulators would not be registers.
#if defined(__clang__)
#define PLIANT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define PLIANT_UNROLL _Pragma("GCC unroll 64")
#endif

namespace pliant::kernels::PLIANT_SIMD_LEVEL {
namespace {

using gemm::IndirectTileArguments;
using gemm::MicroKernels;
using gemm::Start;
using gemm::TileArguments;

#if defined(__AVX512F__)
constexpr int kVectors = 4;
#else
constexpr int kVectors = 2;
#endif
constexpr int kColumns = kVectors * kWidth;
// Without fused multiply-add a product needs a register of its own, and six rows do not fit into
// sixteen.
constexpr int kRowsOfFastestTile = kWidth == 4 ? 4 : 6;

/// The chains of a tile: rows by vectors.
template <int kRows, int kTileVectors>
struct Accumulators {
  Float at[kRows][kTileVectors];
};

/// Keeps a vector in a register from here on; without this g++ 12 loads vectors of B again for
/// every use.
PLIANT_INLINE void pin(Float& value) {
  asm volatile("" : "+v"(value));
}

/// chain += element * b, in the chain's own register. Written as an instruction because compilers
/// choose forms that overwrite a factor instead and then move and spill chains (75 % of peak, not
/// 96 %).
PLIANT_INLINE void accumulate(Float& chain, Float element, Float b) {
#if defined(__FMA__)
  asm volatile("vfmadd231ps %2, %1, %0" : "+v"(chain) : "v"(element), "v"(b));
#else
  chain = fused_multiply_add(element, b, chain);
#endif
}

template <int kRows, int kTileVectors>
PLIANT_INLINE void start_chains(Accumulators<kRows, kTileVectors>& chains, Start start,
                                const float* bias, const float* c, std::int64_t c_row_stride,
                                std::int64_t columns) {
  if (start == Start::kZero) {
    PLIANT_UNROLL for (int i = 0; i < kRows; ++i) {
      PLIANT_UNROLL for (int j = 0; j < kTileVectors; ++j) {
        chains.at[i][j] = Float{};
      }
    }
    return;
  }
  const float* from = start == Start::kBias ? bias : c;
  const std::int64_t row_stride = start == Start::kBias ? 0 : c_row_stride;
  if (columns == kTileVectors * kWidth) {
    PLIANT_UNROLL for (int i = 0; i < kRows; ++i) {
      PLIANT_UNROLL for (int j = 0; j < kTileVectors; ++j) {
        chains.at[i][j] = load(from + i * row_stride + j * kWidth);
      }
    }
    return;
  }
  PLIANT_UNROLL for (int i = 0; i < kRows; ++i) {
    PLIANT_UNROLL for (int j = 0; j < kTileVectors; ++j) {
      const std::int64_t left = columns - j * kWidth;
      chains.at[i][j] = left <= 0 ? Float{}
                                  : load_partial(from + i * row_stride + j * kWidth,
                                                 left < kWidth ? left : kWidth);
    }
  }
}

template <int kRows, int kTileVectors>
PLIANT_INLINE void store_chains(const Accumulators<kRows, kTileVectors>& chains, float* c,
                                std::int64_t c_row_stride, std::int64_t columns) {
  if (columns == kTileVectors * kWidth) {
    PLIANT_UNROLL for (int i = 0; i < kRows; ++i) {
      PLIANT_UNROLL for (int j = 0; j < kTileVectors; ++j) {
        store(c + i * c_row_stride + j * kWidth, chains.at[i][j]);
      }
    }
    return;
  }
  PLIANT_UNROLL for (int i = 0; i < kRows; ++i) {
    PLIANT_UNROLL for (int j = 0; j < kTileVectors; ++j) {
      const std::int64_t left = columns - j * kWidth;
      if (left > 0) {
        store_partial(c + i * c_row_stride + j * kWidth, chains.at[i][j],
                      left < kWidth ? left : kWidth);
      }
    }
  }
}

/// One k: chains += column of A * row of B.
template <int kRows, int kPanels>
PLIANT_INLINE void step(Accumulators<kRows, kPanels * kVectors>& chains,
                        const float* const (&a)[kRows], std::int64_t k, const float* b,
                        std::int64_t panel_stride) {
  Float row_of_b[kPanels * kVectors];
  PLIANT_UNROLL for (int panel = 0; panel < kPanels; ++panel) {
    PLIANT_UNROLL for (int j = 0; j < kVectors; ++j) {
      row_of_b[panel * kVectors + j] = load(b + panel * panel_stride + j * kWidth);
      pin(row_of_b[panel * kVectors + j]);
    }
  }
  PLIANT_UNROLL for (int i = 0; i < kRows; ++i) {
    Float element = broadcast(a[i][k]);
    pin(element);
    PLIANT_UNROLL for (int j = 0; j < kPanels * kVectors; ++j) {
      accumulate(chains.at[i][j], element, row_of_b[j]);
    }
  }
}

/// All k of one run of neighbouring elements of A.
template <int kRows, int kPanels>
PLIANT_INLINE void steps(Accumulators<kRows, kPanels * kVectors>& chains,
                         const float* const (&a)[kRows], std::int64_t count, const float* b,
                         std::int64_t b_row_stride, std::int64_t panel_stride,
                         const float* prefetch, std::int64_t prefetch_lines) {
  constexpr std::int64_t kUnroll = 4;
  const std::int64_t lines_per_round =
      prefetch_lines == 0 ? 0 : (prefetch_lines * kUnroll + count - 1) / count;
  std::int64_t k = 0;
  for (; k + kUnroll <= count; k += kUnroll) {
    for (std::int64_t line = 0; line < lines_per_round; ++line) {
      __builtin_prefetch(prefetch, 0, 2);
      prefetch += 16;
    }
    PLIANT_UNROLL for (int unrolled = 0; unrolled < kUnroll; ++unrolled) {
      step<kRows, kPanels>(chains, a, k + unrolled, b, panel_stride);
      b += b_row_stride;
    }
  }
  for (; k < count; ++k) {
    step<kRows, kPanels>(chains, a, k, b, panel_stride);
    b += b_row_stride;
  }
}

template <int kRows>
PLIANT_INLINE void prefetch_result(float* c, std::int64_t c_row_stride) {
  PLIANT_UNROLL for (int i = 0; i < kRows; ++i) {
    PLIANT_UNROLL for (int j = 0; j < kColumns; j += 16) {
      __builtin_prefetch(c + i * c_row_stride + j, 1, 3);
    }
  }
}

template <int kRows>
void tile(const TileArguments& arguments) {
  const float* a[kRows];
  PLIANT_UNROLL for (int i = 0; i < kRows; ++i) {
    a[i] = arguments.a + i * arguments.a_row_stride;
  }
  Accumulators<kRows, kVectors> chains;
  start_chains(chains, arguments.start, arguments.bias, arguments.c, arguments.c_row_stride,
               arguments.columns);
  prefetch_result<kRows>(arguments.c, arguments.c_row_stride);
  steps<kRows, 1>(chains, a, arguments.k, arguments.b, arguments.b_row_stride, 0,
                  arguments.prefetch, arguments.prefetch_lines);
  store_chains(chains, arguments.c, arguments.c_row_stride, arguments.columns);
}

template <int kRows, int kPanels>
void wide_tile(const TileArguments& arguments, std::int64_t b_panel_stride) {
  const float* a[kRows];
  PLIANT_UNROLL for (int i = 0; i < kRows; ++i) {
    a[i] = arguments.a + i * arguments.a_row_stride;
  }
  Accumulators<kRows, kPanels * kVectors> chains;
  start_chains(chains, arguments.start, arguments.bias, arguments.c, arguments.c_row_stride,
               kPanels * kColumns);
  steps<kRows, kPanels>(chains, a, arguments.k, arguments.b, arguments.b_row_stride, b_panel_stride,
                        nullptr, 0);
  store_chains(chains, arguments.c, arguments.c_row_stride, kPanels * kColumns);
}

template <int kRows>
void indirect_tile(const IndirectTileArguments& arguments) {
  Accumulators<kRows, kVectors> chains;
  start_chains(chains, arguments.start, arguments.bias, arguments.c, arguments.c_row_stride,
               arguments.columns);
  const float* b = arguments.b;
  for (std::int64_t segment = 0; segment < arguments.segments; ++segment) {
    const float* const* rows = arguments.rows + segment * arguments.pointer_stride;
    const float* a[kRows];
    PLIANT_UNROLL for (int i = 0; i < kRows; ++i) {
      a[i] = rows[i] + arguments.offset;
    }
    steps<kRows, 1>(chains, a, arguments.segment_length, b, arguments.b_row_stride, 0, nullptr, 0);
    b += arguments.segment_length * arguments.b_row_stride;
  }
  store_chains(chains, arguments.c, arguments.c_row_stride, arguments.columns);
}

constexpr MicroKernels make_micro_kernels(CpuLevel level) {
  MicroKernels kernels;
  kernels.level = level;
  kernels.columns = kColumns;
  kernels.rows = kRowsOfFastestTile;
  kernels.tile[1] = tile<1>;
  kernels.tile[2] = tile<2>;
  kernels.tile[3] = tile<3>;
  kernels.tile[4] = tile<4>;
  kernels.tile[5] = tile<5>;
  kernels.tile[6] = tile<6>;
  kernels.indirect_tile[1] = indirect_tile<1>;
  kernels.indirect_tile[2] = indirect_tile<2>;
  kernels.indirect_tile[3] = indirect_tile<3>;
  kernels.indirect_tile[4] = indirect_tile<4>;
  kernels.indirect_tile[5] = indirect_tile<5>;
  kernels.indirect_tile[6] = indirect_tile<6>;
  // Eight chains or more at any number of rows.
  kernels.wide_panels[1] = 8 / kVectors;
  kernels.wide_tile[1] = wide_tile<1, 8 / kVectors>;
  if constexpr (kVectors == 2) {
    kernels.wide_panels[2] = 2;
    kernels.wide_tile[2] = wide_tile<2, 2>;
  }
  return kernels;
}

}  // namespace
}  // namespace pliant::kernels::PLIANT_SIMD_LEVEL

#undef PLIANT_UNROLL
