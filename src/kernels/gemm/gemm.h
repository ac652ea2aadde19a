#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu_features.h"
#include "base/function_ref.h"
#include "kernels/kernel.h"

// Matrix products in f32: the core that MATMUL, convolutions, recurrences and attention are built
// on.
//
//                 columns            B lies in panels of `columns` columns:
//            ┌──────────────┐        [n / columns][k][columns], the last one filled up with zeros.
//            │              │        A tile of up to six rows of A runs down one panel with its
//          k │  panel of B  │        part of C in registers. A is read where it lies, row by row.
//            │              │
//       k    └──────────────┘
//   ┌────────┐┌──────────────┐
// 6 │ tile of││   tile of C  │
//   │   A    ││              │
//   └────────┘└──────────────┘
//
// Numbers: every element of C is one chain, start + a[0] b[0] + a[1] b[1] + …, in ascending k, with
// a fused multiply-add (at the portable level a multiplication and an addition) for each step.
// Blocks of k store the chain in C and go on from there. So an element's bits depend on its row of
// A, its column of B and the CPU level alone: not on m, n, batch, threads, blocks or whether B was
// packed.

namespace pliant::kernels::gemm {

/// What an element's chain starts from.
enum class Start : std::uint8_t {
  kZero,
  kBias,    ///< bias[j]
  kResult,  ///< what C holds
};

/// A piece of C of at most kMaxTileRows rows and one panel's columns. Strides are in elements.
struct TileArguments {
  std::int64_t k = 0;
  const float* a = nullptr;  ///< [rows, k], inner stride 1
  std::int64_t a_row_stride = 0;
  const float* b = nullptr;  ///< [k, columns of the kernel], inner stride 1; all columns are read
  std::int64_t b_row_stride = 0;  ///< `columns` of the kernel in a packed panel
  float* c = nullptr;             ///< [rows, columns], inner stride 1
  std::int64_t c_row_stride = 0;
  std::int64_t columns = 0;     ///< written; at most those of the kernel
  const float* bias = nullptr;  ///< [columns] with kBias
  Start start = Start::kZero;
  /// Lines of 64 bytes that are fetched into L2 while the tile runs (the next panel); 0: none.
  const float* prefetch = nullptr;
  std::int64_t prefetch_lines = 0;
};

/// The same with rows of A in pieces: k = segments * segment_length, and piece s of row i begins at
/// rows[s * pointer_stride + i] + offset. For convolutions: a segment is a filter tap (or a row of
/// taps that are neighbours in memory), and a pointer may lead to a row of zeros.
struct IndirectTileArguments {
  std::int64_t segments = 0;
  std::int64_t segment_length = 0;
  const float* const* rows = nullptr;
  std::int64_t pointer_stride = 0;
  std::int64_t offset = 0;   ///< added to every pointer, in elements
  const float* b = nullptr;  ///< [segments * segment_length, columns of the kernel], packed
  std::int64_t b_row_stride = 0;
  float* c = nullptr;
  std::int64_t c_row_stride = 0;
  std::int64_t columns = 0;
  const float* bias = nullptr;
  Start start = Start::kZero;
};

inline constexpr int kMaxTileRows = 6;

/// The innermost loops of one CPU level, by the number of rows (1..kMaxTileRows; 0 is empty).
struct MicroKernels {
  CpuLevel level = CpuLevel::kPortable;
  int columns = 0;  ///< of a panel: 8, 16 or 64
  int rows = 0;     ///< of the fastest tile, where there are many rows: 4 or 6
  void (*tile[kMaxTileRows + 1])(const TileArguments&) = {};
  void (*indirect_tile[kMaxTileRows + 1])(const IndirectTileArguments&) = {};
  /// For few rows: a tile over several whole panels, so that enough chains are under way to hide
  /// the latency of an addition. `b_panel_stride` elements lie between panels; null where
  /// wide_panels is 0.
  void (*wide_tile[kMaxTileRows + 1])(const TileArguments&, std::int64_t b_panel_stride) = {};
  int wide_panels[kMaxTileRows + 1] = {};
};

/// Those of a level that this program was built for.
[[nodiscard]] const MicroKernels& micro_kernels(CpuLevel level);

// ---- packing B ----------------------------------------------------------------------------------

/// B as it lies in memory: element (k, j) is at data[k * row_stride + j * column_stride]. Any
/// strides.
struct MatrixView {
  const float* data = nullptr;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 0;
};

/// How many panels n columns need, and how many floats the panels of a [k, n] matrix take.
[[nodiscard]] inline std::int64_t panel_count(const MicroKernels& kernels, std::int64_t n) {
  return (n + kernels.columns - 1) / kernels.columns;
}
[[nodiscard]] inline std::int64_t packed_elements(const MicroKernels& kernels, std::int64_t k,
                                                  std::int64_t n) {
  return panel_count(kernels, n) * kernels.columns * k;
}

/// Packs columns [column, column + count) of rows [0, k) into one panel [k, panel_columns]; the
/// columns past count become zeros. 0 < count <= panel_columns.
void pack_panel(const MatrixView& b, std::int64_t k, std::int64_t column, std::int64_t count,
                std::int64_t panel_columns, float* panel);

/// Packs all of b [k, n] into `panels` (packed_elements floats).
/// Threads: splits the panels over `parallel`.
void pack_b(const MicroKernels& kernels, const MatrixView& b, std::int64_t k, std::int64_t n,
            float* panels, ParallelFor& parallel);

// ---- products over packed panels ----------------------------------------------------------------

/// B for gemm(): packed, or in place where its columns are neighbours. `tail`, if given, is a
/// packed panel that stands for the last, incomplete one, since a panel is always read whole.
struct Panels {
  const float* data = nullptr;
  std::int64_t row_stride = 0;    ///< between k and k + 1
  std::int64_t panel_stride = 0;  ///< between panels
  const float* tail = nullptr;
};
[[nodiscard]] inline Panels packed_panels(const MicroKernels& kernels, const float* panels,
                                          std::int64_t k) {
  return {.data = panels, .row_stride = kernels.columns, .panel_stride = kernels.columns * k};
}

/// A piece of C.
struct Piece {
  std::int64_t row = 0;
  std::int64_t rows = 0;
  std::int64_t column = 0;
  std::int64_t columns = 0;
};

struct GemmArguments {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  const float* a = nullptr;  ///< [m, k], inner stride 1
  std::int64_t a_row_stride = 0;
  Panels b = {};       ///< [k, n]
  float* c = nullptr;  ///< [m, n], inner stride 1
  std::int64_t c_row_stride = 0;
  const float* bias = nullptr;  ///< [n] with kBias
  Start start = Start::kZero;
  /// If given, called once for every part of C when its elements are done and still in cache, by the
  /// thread that computed them. Pieces do not overlap.
  const FunctionRef<void(const Piece&)>* finish = nullptr;
};

/// c = start + a * b.
///
/// Shapes:  m, n and k may be 0; with k = 0 the result is the start.
/// Types:   f32; one ascending-k chain per element (see above).
/// Threads: splits panels (small m) or rows over `parallel`. Needs no scratch memory. Re-entrant.
/// Source:  blocking after Goto and van de Geijn, ACM TOMS 34(3):12, 2008,
///          doi:10.1145/1356052.1356053.
void gemm(const MicroKernels& kernels, const GemmArguments& arguments, ParallelFor& parallel);

/// How gemm() goes about a product: what follows from its sizes, for people who ask.
struct GemmForm {
  enum class Split : std::uint8_t { kNone, kPanels, kRows };
  Split split = Split::kNone;     ///< what is handed to several threads
  std::int64_t tile_rows = 0;     ///< of the tallest tile
  std::int64_t tile_columns = 0;  ///< of one panel
  std::int64_t tile_panels = 1;   ///< that a tile spans: more than 1 with few rows
  std::int64_t panels = 0;        ///< of b
  std::int64_t k_block = 0;       ///< of k that run through before the next panel or row tile
  std::int64_t row_block = 0;     ///< rows of a that stay in L2
  bool panel_by_panel = false;    ///< all of k for a panel before the next
};
[[nodiscard]] GemmForm gemm_form(const MicroKernels& kernels, std::int64_t m, std::int64_t n,
                                 std::int64_t k, int worker_count);

/// The same in the calling thread alone, for kernels that are parallel further out (heads, images);
/// it is stopped with the loop outside.
void gemm_serial(const MicroKernels& kernels, const GemmArguments& arguments,
                 const ParallelFor& outside);

}  // namespace pliant::kernels::gemm
