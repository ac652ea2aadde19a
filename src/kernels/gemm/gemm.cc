#include "kernels/gemm/gemm.h"

#include <algorithm>

namespace pliant::kernels::gemm {

#define GEMM_KERNELS(Level, object) extern const MicroKernels object;
#include "kernels/gemm/kernels.inc"

const MicroKernels& micro_kernels(CpuLevel level) {
#define GEMM_KERNELS(Level, object)  \
  if (level == CpuLevel::k##Level) { \
    return object;                   \
  }
#include "kernels/gemm/kernels.inc"
  return kMicroKernelsPortable;
}

namespace {

constexpr std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// Sizes of the blocks that stay in a cache while something runs over them. They change the order
/// of work, never the order of additions within an element.
struct Blocking {
  std::int64_t k =
      0;  ///< rows of B: a panel's part stays in L1 (wide panels: in L2) for all row tiles
  std::int64_t rows = 0;  ///< of A: the block [rows, k] stays in L2 for all panels
  bool prefetch = false;  ///< bring the next panel's part into L2 while this one is multiplied
};

Blocking choose_blocking(const MicroKernels& kernels, std::int64_t m, std::int64_t k) {
  constexpr std::int64_t kBytesOfA = 256 << 10;     // half of a small L2
  constexpr std::int64_t kBytesOfPanel = 16 << 10;  // half of L1
  Blocking blocking;
  // Wide panels: measured on machines with 2 MiB of L2, where a panel's part of 768 rows streams
  // from L2 at full speed, and where the latency of L3 must be hidden by prefetching.
  const bool wide = kernels.columns == 64;
  const std::int64_t most = !wide ? kBytesOfPanel / (kernels.columns * 4) : m <= 32 ? 128 : 768;
  // A single row tile uses every part of B once: nothing to keep.
  const std::int64_t blocks =
      m <= kernels.rows ? 1 : std::max<std::int64_t>(1, ceil_divide(k, most));
  blocking.k = ceil_divide(ceil_divide(k, blocks), 4) * 4;
  const std::int64_t bytes_of_a = wide ? 2 * kBytesOfA : kBytesOfA;
  blocking.rows =
      std::max<std::int64_t>(kernels.rows, bytes_of_a / std::max<std::int64_t>(1, blocking.k * 4) /
                                               kernels.rows * kernels.rows);
  blocking.prefetch = wide;
  return blocking;
}

/// A stretch of C: rows [row_begin, row_end), panels [panel_begin, panel_end).
struct Range {
  std::int64_t row_begin = 0;
  std::int64_t row_end = 0;
  std::int64_t panel_begin = 0;
  std::int64_t panel_end = 0;
};

/// The part of a panel that one k block needs.
struct PanelPart {
  const float* data = nullptr;
  std::int64_t row_stride = 0;
};

PanelPart panel_part(const GemmArguments& g, const MicroKernels& kernels, std::int64_t panel,
                     std::int64_t k) {
  const bool incomplete = (panel + 1) * kernels.columns > g.n;
  if (incomplete && g.b.tail != nullptr) {
    return {g.b.tail + k * kernels.columns, kernels.columns};
  }
  return {g.b.data + panel * g.b.panel_stride + k * g.b.row_stride, g.b.row_stride};
}

/// How many neighbouring panels from `panel` on a wide tile may take.
bool whole_panels(const GemmArguments& g, const MicroKernels& kernels, std::int64_t panel,
                  std::int64_t count, std::int64_t panel_end) {
  return panel + count <= panel_end && (panel + count) * kernels.columns <= g.n;
}

void multiply_range(const MicroKernels& kernels, const GemmArguments& g, const Range& range) {
  const std::int64_t m = range.row_end - range.row_begin;
  if (m <= 0) {
    return;
  }
  const std::int64_t columns = kernels.columns;
  const Blocking blocking = choose_blocking(kernels, m, g.k);
  for (std::int64_t row_block = range.row_begin; row_block < range.row_end;
       row_block += blocking.rows) {
    const std::int64_t rows = std::min(blocking.rows, range.row_end - row_block);
    // Tiles differ by at most one row, so that no odd row is left over for a slow small tile.
    const std::int64_t tiles = ceil_divide(rows, kernels.rows);
    const std::int64_t rows_per_tile = rows / tiles;
    const std::int64_t larger_tiles = rows % tiles;
    std::int64_t k = 0;
    do {
      TileArguments t;
      t.k = std::min(blocking.k, g.k - k);
      t.a_row_stride = g.a_row_stride;
      t.c_row_stride = g.c_row_stride;
      t.start = k == 0 ? g.start : Start::kResult;
      for (std::int64_t panel = range.panel_begin; panel < range.panel_end;) {
        const PanelPart part = panel_part(g, kernels, panel, k);
        t.b = part.data;
        t.b_row_stride = part.row_stride;
        t.columns = std::min(columns, g.n - panel * columns);
        t.bias = g.bias == nullptr ? nullptr : g.bias + panel * columns;
        t.a = g.a + row_block * g.a_row_stride + k;
        t.c = g.c + row_block * g.c_row_stride + panel * columns;
        const int wide = tiles == 1 ? kernels.wide_panels[rows] : 0;
        if (wide > 0 && whole_panels(g, kernels, panel, wide, range.panel_end)) {
          kernels.wide_tile[rows](t, g.b.panel_stride);
          panel += wide;
          continue;
        }
        const std::int64_t lines =
            blocking.prefetch && panel + 1 < range.panel_end && g.b.row_stride == columns
                ? t.k * columns / 16
                : 0;
        const std::int64_t lines_per_tile = ceil_divide(lines, tiles);
        const float* next = lines == 0 ? nullptr : panel_part(g, kernels, panel + 1, k).data;
        for (std::int64_t tile = 0; tile < tiles; ++tile) {
          const std::int64_t tile_rows = rows_per_tile + (tile < larger_tiles ? 1 : 0);
          t.prefetch_lines = std::min(lines_per_tile, lines - tile * lines_per_tile);
          t.prefetch_lines = std::max<std::int64_t>(0, t.prefetch_lines);
          t.prefetch = next + tile * lines_per_tile * 16;
          kernels.tile[tile_rows](t);
          t.a += tile_rows * g.a_row_stride;
          t.c += tile_rows * g.c_row_stride;
        }
        ++panel;
      }
      k += blocking.k;
    } while (k < g.k);
  }
}

}  // namespace

void gemm_serial(const MicroKernels& kernels, const GemmArguments& arguments) {
  multiply_range(kernels, arguments,
                 {.row_begin = 0,
                  .row_end = arguments.m,
                  .panel_begin = 0,
                  .panel_end = panel_count(kernels, arguments.n)});
}

void gemm(const MicroKernels& kernels, const GemmArguments& arguments, ParallelFor& parallel) {
  const std::int64_t m = arguments.m;
  const std::int64_t panels = panel_count(kernels, arguments.n);
  const std::int64_t workers = parallel.worker_count();
  // In products and sums: what pays for handing a piece to another thread.
  constexpr std::int64_t kWorkPerPiece = 256 << 10;
  const std::int64_t work_per_panel =
      std::max<std::int64_t>(1, m * kernels.columns * std::max<std::int64_t>(1, arguments.k));
  if (m == 0 || panels == 0) {
    return;
  }
  if (workers == 1 || panels * work_per_panel < 2 * kWorkPerPiece) {
    gemm_serial(kernels, arguments);
    return;
  }
  // Pieces of rows read B once each, pieces of panels A: whichever is smaller is read again.
  constexpr std::int64_t kRowsPerPiece = 48;
  const std::int64_t tiles = ceil_divide(m, kernels.rows);
  if (m >= 2 * workers * kRowsPerPiece || (panels < workers && m > kernels.rows)) {
    const std::int64_t grain =
        std::max(std::min(kRowsPerPiece / kernels.rows, ceil_divide(tiles, workers)),
                 ceil_divide(tiles, workers * 4));
    parallel.run(tiles, grain, [&](std::int64_t begin, std::int64_t end, int) {
      multiply_range(kernels, arguments,
                     {.row_begin = begin * kernels.rows,
                      .row_end = std::min(end * kernels.rows, m),
                      .panel_begin = 0,
                      .panel_end = panels});
    });
    return;
  }
  const std::int64_t grain =
      std::max(ceil_divide(kWorkPerPiece, work_per_panel), ceil_divide(panels, workers * 4));
  parallel.run(panels, grain, [&](std::int64_t begin, std::int64_t end, int) {
    multiply_range(kernels, arguments,
                   {.row_begin = 0, .row_end = m, .panel_begin = begin, .panel_end = end});
  });
}

}  // namespace pliant::kernels::gemm
