#include "kernels/attention/attention.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "base/check.h"
#include "base/half.h"
#include "base/rounding.h"
#include "kernels/attention/strip_softmax.h"
#include "kernels/gemm/gemm.h"
#include "kernels/wide_element.h"

namespace pliant::kernels::attention {

#define STRIP_KERNELS(Level, object) extern const StripKernels object;
#include "kernels/attention/kernels.inc"

const StripKernels& strip_kernels(CpuLevel level) {
#define STRIP_KERNELS(Level, object) \
  if (level == CpuLevel::k##Level) { \
    return object;                   \
  }
#include "kernels/attention/kernels.inc"
  return kStripKernelsPortable;
}

namespace {

using gemm::MicroKernels;

/// Rows of a block: more rows use a packed k and v more often, fewer keep the strip in the cache.
std::int64_t block_rows(std::int64_t keys) {
  return keys <= 2048 ? 24 : 12;
}

/// A worker's scratch memory, in floats; every part begins on a cache line.
struct Workspace {
  std::int64_t strip_stride = 0;
  std::int64_t strip = 0;
  std::int64_t q = 0;
  std::int64_t k = 0;
  std::int64_t v = 0;
  std::int64_t dst = 0;
  std::int64_t mask = 0;
  std::int64_t widened = 0;  ///< a key or value head in f32, for the other types

  [[nodiscard]] std::int64_t total() const { return strip + q + k + v + dst + mask + widened; }
};

Workspace lay_out(const AttentionArguments& arguments, const MicroKernels& kernels, bool is_f32) {
  constexpr std::int64_t kLine = 16;
  const std::int64_t rows = block_rows(arguments.keys);
  Workspace space;
  // One line more than needed, since rows at a multiple of 4 KiB would evict each other.
  space.strip_stride = round_up(arguments.keys, kLine) + kLine;
  space.strip = rows * space.strip_stride;
  space.q = round_up(rows * arguments.width, kLine);
  space.k = round_up(gemm::packed_elements(kernels, arguments.width, arguments.keys), kLine);
  space.v = round_up(gemm::packed_elements(kernels, arguments.keys, arguments.value_width), kLine);
  space.dst = round_up(rows * arguments.value_width, kLine);
  space.mask = arguments.mask_kind == MaskKind::kNone ? 0 : round_up(arguments.keys, kLine);
  space.widened =
      is_f32 ? 0
             : round_up(arguments.keys * std::max(arguments.width, arguments.value_width), kLine);
  return space;
}

/// One piece of work: rows [begin, end) of a key head. With `group` query heads per key head, row r is
/// query r % queries of the group's head r / queries.
struct Piece {
  std::int64_t batch = 0;
  std::int64_t key_head = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// Everything about one worker's run over one piece.
template <class T>
class PieceRun {
 public:
  PieceRun(const AttentionArguments& arguments, const MicroKernels& kernels,
           const StripKernels& strip, float* scratch, const ParallelFor& parallel)
      : g_(arguments),
        parallel_(parallel),
        kernels_(kernels),
        strip_kernels_(strip),
        space_(lay_out(arguments, kernels, std::is_same_v<T, float>)),
        strip_(scratch),
        q_(strip_ + space_.strip),
        k_(q_ + space_.q),
        v_(k_ + space_.k),
        dst_(v_ + space_.v),
        mask_(dst_ + space_.dst),
        widened_(mask_ + space_.mask) {}

  void operator()(const Piece& piece) {
    piece_ = piece;
    packed_panels_ = 0;
    prepare_values();
    if constexpr (!std::is_same_v<T, float>) {
      widen_head(static_cast<const T*>(g_.k), g_.k_strides, g_.width);
    }
    const std::int64_t rows = piece.end - piece.begin;
    const std::int64_t blocks = ceil_divide(rows, block_rows(g_.keys));
    for (std::int64_t block = 0; block < blocks && !parallel_.is_stopped(); ++block) {
      const std::int64_t begin = piece.begin + rows * block / blocks;
      const std::int64_t end = piece.begin + rows * (block + 1) / blocks;
      run_block(begin, end);
    }
  }

 private:
  struct Place {
    std::int64_t head = 0;
    std::int64_t query = 0;
  };
  [[nodiscard]] Place place(std::int64_t row) const {
    const std::int64_t group = g_.heads / g_.key_heads;
    return {piece_.key_head * group + row / g_.queries, row % g_.queries};
  }

  /// A key or value head of another type as f32 rows without gaps.
  void widen_head(const T* data, const std::int64_t (&strides)[4], std::int64_t width) {
    const T* head = data + piece_.batch * strides[0] + piece_.key_head * strides[1];
    for (std::int64_t key = 0; key < g_.keys; ++key) {
      for (std::int64_t i = 0; i < width; ++i) {
        widened_[key * width + i] = widen(head[key * strides[2] + i * strides[3]]);
      }
    }
  }

  void prepare_values() {
    SerialFor serial;
    if constexpr (std::is_same_v<T, float>) {
      const float* head = static_cast<const float*>(g_.v) + piece_.batch * g_.v_strides[0] +
                          piece_.key_head * g_.v_strides[1];
      const bool once = piece_.end - piece_.begin <= kernels_.rows;
      if (once && g_.v_strides[3] == 1 && g_.value_width % kernels_.columns == 0) {
        values_ = {.data = head, .row_stride = g_.v_strides[2], .panel_stride = kernels_.columns};
        return;
      }
      gemm::pack_b(kernels_, {head, g_.v_strides[2], g_.v_strides[3]}, g_.keys, g_.value_width, v_,
                   serial);
    } else {
      widen_head(static_cast<const T*>(g_.v), g_.v_strides, g_.value_width);
      gemm::pack_b(kernels_, {widened_, g_.value_width, 1}, g_.keys, g_.value_width, v_, serial);
    }
    values_ = gemm::packed_panels(kernels_, v_, g_.keys);
  }

  /// Keys are packed panel by panel as the first block needs them, so each is still in the cache when it
  /// is used for the first time.
  const float* key_panel(std::int64_t panel) {
    const std::int64_t columns = kernels_.columns;
    for (; packed_panels_ <= panel; ++packed_panels_) {
      gemm::MatrixView keys;
      if constexpr (std::is_same_v<T, float>) {
        keys = {static_cast<const float*>(g_.k) + piece_.batch * g_.k_strides[0] +
                    piece_.key_head * g_.k_strides[1],
                g_.k_strides[3], g_.k_strides[2]};
      } else {
        keys = {widened_, 1, g_.width};
      }
      const std::int64_t first = packed_panels_ * columns;
      gemm::pack_panel(keys, g_.width, first, std::min(columns, g_.keys - first), columns,
                       k_ + first * g_.width);
    }
    return k_ + panel * columns * g_.width;
  }

  void copy_queries(std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const Place at = place(row);
      const T* from = static_cast<const T*>(g_.q) + piece_.batch * g_.q_strides[0] +
                      at.head * g_.q_strides[1] + at.query * g_.q_strides[2];
      float* to = q_ + (row - begin) * g_.width;
      if constexpr (std::is_same_v<T, float>) {
        if (g_.q_strides[3] == 1) {
          std::copy(from, from + g_.width, to);
          continue;
        }
      }
      for (std::int64_t i = 0; i < g_.width; ++i) {
        to[i] = widen(from[i * g_.q_strides[3]]);
      }
    }
  }

  /// strip = q k^T for the first `keys` keys.
  void multiply_keys(std::int64_t rows, std::int64_t keys) {
    const std::int64_t columns = kernels_.columns;
    const std::int64_t tiles = ceil_divide(rows, kernels_.rows);
    for (std::int64_t first = 0; first < keys; first += columns) {
      gemm::TileArguments tile;
      if (parallel_.is_stopped()) {
        return;
      }
      tile.k = g_.width;
      tile.a_row_stride = g_.width;
      tile.b = key_panel(first / columns);
      tile.b_row_stride = columns;
      tile.c_row_stride = space_.strip_stride;
      tile.columns = std::min(columns, keys - first);
      for (std::int64_t i = 0; i < tiles; ++i) {
        const std::int64_t begin = rows * i / tiles;
        const std::int64_t end = rows * (i + 1) / tiles;
        tile.a = q_ + begin * g_.width;
        tile.c = strip_ + begin * space_.strip_stride + first;
        kernels_.tile[end - begin](tile);
      }
    }
  }

  /// Softmax of one row of the strip; keys past the row's own, up to `keys`, get weight 0.
  float weigh(std::int64_t row, float* scores, std::int64_t keys) {
    const Place at = place(row);
    StripRowArguments arguments;
    arguments.scores = scores;
    arguments.count = seen_keys(g_, at.query);
    arguments.scale = static_cast<float>(g_.scale);
    arguments.softcap = static_cast<float>(g_.softcap);
    const std::int64_t stride = g_.mask_strides[3];
    const std::int64_t offset = piece_.batch * g_.mask_strides[0] + at.head * g_.mask_strides[1] +
                                at.query * g_.mask_strides[2];
    if (g_.mask_kind == MaskKind::kBool) {
      const std::uint8_t* from = static_cast<const std::uint8_t*>(g_.mask) + offset;
      arguments.seen = from;
      if (stride != 1) {
        auto* copy = reinterpret_cast<std::uint8_t*>(mask_);
        for (std::int64_t key = 0; key < arguments.count; ++key) {
          copy[key] = from[key * stride];
        }
        arguments.seen = copy;
      }
    } else if (g_.mask_kind == MaskKind::kAdded) {
      const T* from = static_cast<const T*>(g_.mask) + offset;
      if constexpr (std::is_same_v<T, float>) {
        arguments.added = from;
      }
      if (!std::is_same_v<T, float> || stride != 1) {
        for (std::int64_t key = 0; key < arguments.count; ++key) {
          mask_[key] = widen(from[key * stride]);
        }
        arguments.added = mask_;
      }
    }
    const float inverse = strip_kernels_.softmax_row(arguments);
    std::fill(scores + arguments.count, scores + std::max(arguments.count, keys), 0.0f);
    if (inverse != 0 || g_.masked == MaskedRow::kZero || g_.keys == 0) {
      return inverse;
    }
    if (g_.masked == MaskedRow::kNan) {
      return std::numeric_limits<float>::quiet_NaN();
    }
    std::fill(scores, scores + g_.keys, 1.0f);
    return 1.0f / static_cast<float>(g_.keys);
  }

  void run_block(std::int64_t begin, std::int64_t end) {
    const std::int64_t rows = end - begin;
    std::int64_t keys = g_.masked == MaskedRow::kMean ? g_.keys : 0;
    for (std::int64_t row = begin; row < end; ++row) {
      keys = std::max(keys, seen_keys(g_, place(row).query));
    }
    copy_queries(begin, end);
    multiply_keys(rows, keys);
    if (parallel_.is_stopped()) {
      return;
    }
    float inverse[24];
    for (std::int64_t i = 0; i < rows; ++i) {
      inverse[i] = weigh(begin + i, strip_ + i * space_.strip_stride, keys);
    }
    gemm::GemmArguments product;
    product.m = rows;
    product.n = g_.value_width;
    product.k = keys;
    product.a = strip_;
    product.a_row_stride = space_.strip_stride;
    product.b = values_;
    product.c = dst_;
    product.c_row_stride = g_.value_width;
    gemm::gemm_serial(kernels_, product, parallel_);
    for (std::int64_t i = 0; i < rows; ++i) {
      const Place at = place(begin + i);
      const float* from = dst_ + i * g_.value_width;
      T* to = static_cast<T*>(g_.dst) + piece_.batch * g_.dst_strides[0] +
              at.head * g_.dst_strides[1] + at.query * g_.dst_strides[2];
      if constexpr (std::is_same_v<T, float>) {
        if (g_.dst_strides[3] == 1) {
          strip_kernels_.scale_row(from, g_.value_width, inverse[i], to);
          continue;
        }
      }
      for (std::int64_t j = 0; j < g_.value_width; ++j) {
        to[j * g_.dst_strides[3]] = narrow<T>(from[j] * inverse[i]);
      }
    }
  }

  const AttentionArguments& g_;
  const ParallelFor& parallel_;
  const MicroKernels& kernels_;
  const StripKernels& strip_kernels_;
  const Workspace space_;
  float* strip_;
  float* q_;
  float* k_;
  float* v_;
  float* dst_;
  float* mask_;
  float* widened_;
  Piece piece_;
  gemm::Panels values_;
  std::int64_t packed_panels_ = 0;
};

/// Query rows that share a key head.
std::int64_t rows_of_head(const AttentionArguments& g) {
  return g.heads / g.key_heads * g.queries;
}

/// A head is split only where there are too few of them, since every part packs k and v again.
std::int64_t parts_of_head(const AttentionArguments& g, int worker_count) {
  const std::int64_t heads = g.batch * g.key_heads;
  const std::int64_t wanted =
      worker_count == 1 ? 1 : ceil_divide(std::int64_t{4} * g.worker_count, heads);
  return std::min(wanted, ceil_divide(rows_of_head(g), block_rows(g.keys)));
}

template <class T>
void attention_float(const AttentionArguments& g, const KernelContext& context) {
  PLIANT_DCHECK(context.parallel.worker_count() <= g.worker_count);
  const MicroKernels& kernels = gemm::micro_kernels(context.level);
  const StripKernels& strip = strip_kernels(context.level);
  const std::int64_t worker_elements = lay_out(g, kernels, std::is_same_v<T, float>).total();
  const std::int64_t rows = rows_of_head(g);
  const std::int64_t heads = g.batch * g.key_heads;
  const std::int64_t parts = parts_of_head(g, context.parallel.worker_count());
  // In products and sums.
  constexpr std::int64_t kWorkPerPiece = 128 << 10;
  const std::int64_t work =
      std::max<std::int64_t>(1, ceil_divide(rows, parts) * g.keys * (g.width + g.value_width));
  context.parallel.run(heads * parts, std::max<std::int64_t>(1, kWorkPerPiece / work),
                       [&](std::int64_t begin, std::int64_t end, int worker) {
                         PieceRun<T> run(
                             g, kernels, strip,
                             reinterpret_cast<float*>(context.scratch) + worker * worker_elements,
                             context.parallel);
                         for (std::int64_t at = begin; at < end; ++at) {
                           const std::int64_t head = at / parts;
                           const std::int64_t part = at % parts;
                           run({.batch = head / g.key_heads,
                                .key_head = head % g.key_heads,
                                .begin = rows * part / parts,
                                .end = rows * (part + 1) / parts});
                         }
                       });
}

}  // namespace

AttentionForm attention_form(const AttentionArguments& g) {
  return {block_rows(g.keys), g.batch * g.key_heads, parts_of_head(g, g.worker_count)};
}

void attention_f32(const AttentionArguments& arguments, const KernelContext& context) {
  attention_float<float>(arguments, context);
}
void attention_f16(const AttentionArguments& arguments, const KernelContext& context) {
  attention_float<Half>(arguments, context);
}
void attention_bf16(const AttentionArguments& arguments, const KernelContext& context) {
  attention_float<BFloat16>(arguments, context);
}

std::size_t attention_scratch_bytes(const AttentionArguments& g, DType dtype, CpuLevel level) {
  constexpr std::size_t kTooMuch = std::size_t{1} << 62;  // no allocator grants it
  const double keys = static_cast<double>(g.keys) + 64.0;
  const double widths = static_cast<double>(g.width) + static_cast<double>(g.value_width) + 128.0;
  if (keys * widths * g.worker_count > 0x1p48) {
    return kTooMuch;
  }
  if (dtype == DType::kF64) {
    return static_cast<std::size_t>(g.worker_count) * static_cast<std::size_t>(g.keys) *
           sizeof(double);
  }
  const Workspace space = lay_out(g, gemm::micro_kernels(level), dtype == DType::kF32);
  return static_cast<std::size_t>(g.worker_count) * static_cast<std::size_t>(space.total()) *
         sizeof(float);
}

AttentionKernel attention_kernel(DType dtype) {
  struct Row {
    DType dtype;
    AttentionKernel kernel;
  };
  static constexpr Row kRows[] = {{DType::kF32, attention_f32},
                                  {DType::kF16, attention_f16},
                                  {DType::kBF16, attention_bf16},
                                  {DType::kF64, attention_reference<double>}};
  for (const Row& row : kRows) {
    if (row.dtype == dtype) {
      return row.kernel;
    }
  }
  PLIANT_CHECK(false);
  return nullptr;
}

}  // namespace pliant::kernels::attention
