#include "kernels/gemm/gemm.h"

#include <algorithm>

#include "base/rounding.h"

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

/// Sizes of the blocks that stay in a cache while something runs over them. They change the order
/// of work, never the order of additions within an element.
struct Blocking {
  std::int64_t k =
      0;  ///< rows of B: a panel's part stays in L1 (wide panels: in L2) for all row tiles
  std::int64_t rows = 0;        ///< of A: the block [rows, k] stays in L2 for all panels
  bool panel_by_panel = false;  ///< all k of a panel before the next: few rows, B streams in order
  bool prefetch = false;        ///< bring the next part of B into L2 while this one is multiplied
};

Blocking choose_blocking(const MicroKernels& kernels, std::int64_t m, std::int64_t k) {
  constexpr std::int64_t kBytesOfA = 256 << 10;     // half of a small L2
  constexpr std::int64_t kBytesOfPanel = 16 << 10;  // half of L1
  Blocking blocking;
  // Wide panels: measured on machines with 2 MiB of L2, where a panel's part of 768 rows streams
  // from L2 at full speed, and where the latency of L3 must be hidden by prefetching.
  const bool wide = kernels.columns == 64;
  constexpr std::int64_t kFewRows = 32;
  blocking.panel_by_panel = m <= kFewRows;
  const std::int64_t most = !wide           ? kBytesOfPanel / (std::int64_t{4} * kernels.columns)
                            : m <= kFewRows ? 128
                                            : 768;
  // A single row tile uses every part of B once: nothing to keep, but a product can only be stopped
  // between its parts.
  constexpr std::int64_t kLongest = 1 << 20;
  const std::int64_t blocks =
      std::max<std::int64_t>(1, ceil_divide(k, m <= kernels.rows ? kLongest : most));
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

/// Rows of A that are multiplied with one part of a panel after the other, cut into tiles that differ by
/// at most one row, so that no odd row is left over for a slow small tile.
struct RowBlock {
  std::int64_t begin = 0;
  std::int64_t rows = 0;
  std::int64_t tiles = 0;

  [[nodiscard]] std::int64_t rows_of_tile(std::int64_t tile) const {
    return rows / tiles + (tile < rows % tiles ? 1 : 0);
  }
};

/// The arguments of a block's first tile in one panel and one k block.
TileArguments first_tile(const MicroKernels& kernels, const GemmArguments& g, const RowBlock& block,
                         const Blocking& blocking, std::int64_t panel, std::int64_t k) {
  const PanelPart part = panel_part(g, kernels, panel, k);
  const std::int64_t column = panel * kernels.columns;
  TileArguments t;
  t.k = std::min(blocking.k, g.k - k);
  t.a = g.a + block.begin * g.a_row_stride + k;
  t.a_row_stride = g.a_row_stride;
  t.b = part.data;
  t.b_row_stride = part.row_stride;
  t.c = g.c + block.begin * g.c_row_stride + column;
  t.c_row_stride = g.c_row_stride;
  t.columns = std::min<std::int64_t>(kernels.columns, g.n - column);
  t.bias = g.bias == nullptr ? nullptr : g.bias + column;
  t.start = k == 0 ? g.start : Start::kResult;
  return t;
}

/// All tiles of a block in one panel and one k block. `next`, if given, is the part of B that comes
/// after this one; its lines are spread over the tiles.
void multiply_part(const MicroKernels& kernels, const GemmArguments& g, const RowBlock& block,
                   TileArguments t, const float* next) {
  const std::int64_t lines = next == nullptr ? 0 : t.k * kernels.columns / 16;
  const std::int64_t lines_per_tile = ceil_divide(lines, block.tiles);
  for (std::int64_t tile = 0; tile < block.tiles; ++tile) {
    const std::int64_t rows = block.rows_of_tile(tile);
    const std::int64_t begin = std::min(lines, tile * lines_per_tile);
    t.prefetch_lines = std::min(lines_per_tile, lines - begin);
    t.prefetch = next == nullptr ? nullptr : next + begin * 16;
    kernels.tile[rows](t);
    t.a += rows * g.a_row_stride;
    t.c += rows * g.c_row_stride;
  }
}

/// Tells g.finish of finished panels of a block of rows, several at a time: rows of a few columns
/// are not worth a call, and what is handed over must still be in cache.
class Finished {
 public:
  Finished(const MicroKernels& kernels, const GemmArguments& g, const RowBlock& block,
           const Range& range)
      : g_(g), block_(block), columns_(kernels.columns), begin_(range.panel_begin) {
    constexpr std::int64_t kElements = 16 << 10;
    constexpr std::int64_t kFewestColumns = 1024;
    panels_ = std::max(kElements / block.rows, kFewestColumns) / columns_;
  }

  /// All of C up to this panel is done.
  void up_to(std::int64_t panel_end) {
    if (panel_end - begin_ >= panels_) {
      all_up_to(panel_end);
    }
  }
  void all_up_to(std::int64_t panel_end) {
    if (g_.finish != nullptr && panel_end > begin_) {
      const std::int64_t column = begin_ * columns_;
      (*g_.finish)({.row = block_.begin,
                    .rows = block_.rows,
                    .column = column,
                    .columns = std::min(panel_end * columns_, g_.n) - column});
      begin_ = panel_end;
    }
  }

 private:
  const GemmArguments& g_;
  const RowBlock& block_;
  std::int64_t columns_;
  std::int64_t begin_;
  std::int64_t panels_;
};

/// Whether one tile has all rows, and several panels side by side.
bool spans_panels(const MicroKernels& kernels, const RowBlock& block, const Blocking& blocking,
                  std::int64_t k) {
  return block.tiles == 1 && kernels.wide_panels[block.rows] > 0 && blocking.k >= k;
}

/// One block of rows times all panels of the range. Asks after each part whether to go on.
void multiply_rows(const MicroKernels& kernels, const GemmArguments& g, const RowBlock& block,
                   const Blocking& blocking, const Range& range, const ParallelFor& parallel) {
  const bool prefetch = blocking.prefetch && g.b.row_stride == kernels.columns;
  const auto part_after = [&](std::int64_t panel, std::int64_t k) -> const float* {
    return prefetch && panel < range.panel_end && k < g.k ? panel_part(g, kernels, panel, k).data
                                                          : nullptr;
  };
  Finished finished(kernels, g, block, range);
  if (spans_panels(kernels, block, blocking, g.k)) {
    const std::int64_t count = kernels.wide_panels[block.rows];
    const std::int64_t whole = std::min(range.panel_end, g.n / kernels.columns);
    std::int64_t panel = range.panel_begin;
    for (; panel + count <= whole && !parallel.is_stopped(); panel += count) {
      kernels.wide_tile[block.rows](first_tile(kernels, g, block, blocking, panel, 0),
                                    g.b.panel_stride);
    }
    for (; panel < range.panel_end && !parallel.is_stopped(); ++panel) {
      multiply_part(kernels, g, block, first_tile(kernels, g, block, blocking, panel, 0), nullptr);
    }
    finished.all_up_to(range.panel_end);
    return;
  }
  if (blocking.panel_by_panel) {
    for (std::int64_t panel = range.panel_begin; panel < range.panel_end && !parallel.is_stopped();
         ++panel) {
      std::int64_t k = 0;
      do {
        const float* next =
            k + blocking.k < g.k ? part_after(panel, k + blocking.k) : part_after(panel + 1, 0);
        multiply_part(kernels, g, block, first_tile(kernels, g, block, blocking, panel, k), next);
        k += blocking.k;
      } while (k < g.k && !parallel.is_stopped());
      finished.up_to(panel + 1);
    }
    finished.all_up_to(range.panel_end);
    return;
  }
  std::int64_t k = 0;
  do {
    for (std::int64_t panel = range.panel_begin; panel < range.panel_end && !parallel.is_stopped();
         ++panel) {
      multiply_part(kernels, g, block, first_tile(kernels, g, block, blocking, panel, k),
                    part_after(panel + 1, k));
      if (k + blocking.k >= g.k) {
        finished.up_to(panel + 1);
      }
    }
    k += blocking.k;
  } while (k < g.k && !parallel.is_stopped());
  finished.all_up_to(range.panel_end);
}

void multiply_range(const MicroKernels& kernels, const GemmArguments& g, const Range& range,
                    const ParallelFor& parallel) {
  const Blocking blocking = choose_blocking(kernels, range.row_end - range.row_begin, g.k);
  for (std::int64_t begin = range.row_begin; begin < range.row_end && !parallel.is_stopped();
       begin += blocking.rows) {
    const std::int64_t rows = std::min(blocking.rows, range.row_end - begin);
    multiply_rows(kernels, g, {begin, rows, ceil_divide(rows, kernels.rows)}, blocking, range,
                  parallel);
  }
}

/// How a product is handed to threads: in pieces of at least `grain` row tiles or panels.
struct Division {
  GemmForm::Split split = GemmForm::Split::kNone;
  std::int64_t grain = 0;
};

Division divide(const MicroKernels& kernels, std::int64_t m, std::int64_t n, std::int64_t k,
                std::int64_t workers) {
  // In products and sums: what pays for handing a piece to another thread.
  constexpr std::int64_t kWorkPerPiece = 256 << 10;
  const std::int64_t panels = panel_count(kernels, n);
  const std::int64_t work_per_panel =
      std::max<std::int64_t>(1, m * kernels.columns * std::max<std::int64_t>(1, k));
  if (workers == 1 || panels * work_per_panel < 2 * kWorkPerPiece) {
    return {};
  }
  // Pieces of rows read B once each, pieces of panels A: whichever is smaller is read again.
  constexpr std::int64_t kRowsPerPiece = 48;
  const std::int64_t tiles = ceil_divide(m, kernels.rows);
  if (m >= 2 * workers * kRowsPerPiece || (panels < workers && m > kernels.rows)) {
    return {GemmForm::Split::kRows,
            std::max(std::min(kRowsPerPiece / kernels.rows, ceil_divide(tiles, workers)),
                     ceil_divide(tiles, workers * 4))};
  }
  return {GemmForm::Split::kPanels,
          std::max(ceil_divide(kWorkPerPiece, work_per_panel), ceil_divide(panels, workers * 4))};
}

}  // namespace

GemmForm gemm_form(const MicroKernels& kernels, std::int64_t m, std::int64_t n, std::int64_t k,
                   int worker_count) {
  const Division division = divide(kernels, m, n, k, worker_count);
  const std::int64_t rows =
      division.split == GemmForm::Split::kRows ? std::min(m, division.grain * kernels.rows) : m;
  const Blocking blocking = choose_blocking(kernels, rows, k);
  const std::int64_t block_rows = std::min(rows, blocking.rows);
  const RowBlock block{0, block_rows, ceil_divide(block_rows, kernels.rows)};
  GemmForm form;
  form.split = division.split;
  form.tile_rows = ceil_divide(block_rows, std::max<std::int64_t>(1, block.tiles));
  form.tile_columns = kernels.columns;
  form.panels = panel_count(kernels, n);
  form.k_block = std::min(blocking.k, k);
  form.row_block = block_rows;
  form.panel_by_panel = blocking.panel_by_panel;
  if (spans_panels(kernels, block, blocking, k) &&
      kernels.wide_panels[block_rows] <= n / kernels.columns) {
    form.tile_panels = kernels.wide_panels[block_rows];
  }
  return form;
}

void gemm_serial(const MicroKernels& kernels, const GemmArguments& arguments,
                 const ParallelFor& outside) {
  multiply_range(kernels, arguments,
                 {.row_begin = 0,
                  .row_end = arguments.m,
                  .panel_begin = 0,
                  .panel_end = panel_count(kernels, arguments.n)},
                 outside);
}

void gemm(const MicroKernels& kernels, const GemmArguments& arguments, ParallelFor& parallel) {
  const std::int64_t m = arguments.m;
  const std::int64_t panels = panel_count(kernels, arguments.n);
  if (m == 0 || panels == 0) {
    return;
  }
  const Division division = divide(kernels, m, arguments.n, arguments.k, parallel.worker_count());
  if (division.split == GemmForm::Split::kNone) {
    gemm_serial(kernels, arguments, parallel);
    return;
  }
  if (division.split == GemmForm::Split::kRows) {
    const std::int64_t tiles = ceil_divide(m, kernels.rows);
    parallel.run(tiles, division.grain, [&](std::int64_t begin, std::int64_t end, int) {
      multiply_range(kernels, arguments,
                     {.row_begin = begin * kernels.rows,
                      .row_end = std::min(end * kernels.rows, m),
                      .panel_begin = 0,
                      .panel_end = panels},
                     parallel);
    });
    return;
  }
  parallel.run(panels, division.grain, [&](std::int64_t begin, std::int64_t end, int) {
    multiply_range(kernels, arguments,
                   {.row_begin = 0, .row_end = m, .panel_begin = begin, .panel_end = end},
                   parallel);
  });
}

}  // namespace pliant::kernels::gemm
