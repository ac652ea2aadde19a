#include <algorithm>
#include <numeric>

#include "kernels/convolution/channels_last.h"
#include "kernels/convolution/convolution.h"
#include "kernels/gemm/gemm.h"

// An axis of the result splits into phases: positions o with the same remainder of o by the stride.
// Tap k meets an input at o only if o + pad - k * dilation is a multiple of the stride, so all
// positions of a phase see the same taps, and neighbours in a phase see neighbours in x:
//
//   stride 2, window 3, pad 1:   o = 0 2 4 … : tap 1       o = 1 3 5 … : taps 0 and 2
//
// The weights of a phase are packed together; phases are numbered width fastest.

namespace pliant::kernels::convolution {
namespace {

constexpr std::int64_t kProductsPerPiece = 65536;
constexpr std::int64_t kRowsPerBlock = std::int64_t{16} * gemm::kMaxTileRows;

/// One phase of one axis, and its taps: first_tap, first_tap + tap_step, …
struct AxisPhase {
  const WindowAxis& axis;
  std::int64_t remainder;
  std::int64_t first_tap = 0;
  std::int64_t tap_step = 1;

  AxisPhase(const WindowAxis& of, std::int64_t number) : axis(of), remainder(number) {
    tap_step = axis.stride / std::gcd(axis.stride, axis.dilation);
    if (axis.dilation == 1) {
      first_tap = (remainder + axis.pad_begin) % axis.stride;
      return;
    }
    const std::int64_t end = std::min(tap_step, axis.window);
    while (first_tap < end &&
           (remainder + axis.pad_begin - first_tap * axis.dilation) % axis.stride != 0) {
      ++first_tap;
    }
    first_tap = first_tap < end ? first_tap : axis.window;
  }
  /// The input that a tap of the phase meets at the phase's position 0.
  [[nodiscard]] std::int64_t shift(std::int64_t tap) const {
    return (remainder + axis.pad_begin - tap * axis.dilation) / axis.stride;
  }
  [[nodiscard]] std::int64_t tap_count() const {
    return first_tap < axis.window ? (axis.window - first_tap - 1) / tap_step + 1 : 0;
  }
  /// Result positions of the phase.
  [[nodiscard]] std::int64_t positions() const {
    return (axis.output - remainder - 1) / axis.stride + 1;
  }
};

struct Phase {
  AxisPhase depth, height, width;

  Phase(const ConvolutionShape& shape, std::int64_t number)
      : depth(shape.axes[0], number / phase_count(shape.axes[2]) / phase_count(shape.axes[1])),
        height(shape.axes[1], number / phase_count(shape.axes[2]) % phase_count(shape.axes[1])),
        width(shape.axes[2], number % phase_count(shape.axes[2])) {}
  [[nodiscard]] std::int64_t tap_count() const {
    return depth.tap_count() * height.tap_count() * width.tap_count();
  }
  /// Calls visit(tap[3]) for each tap of the phase in ascending order.
  template <class Visit>
  void for_each_tap(Visit visit) const {
    std::int64_t tap[kSpatialAxes];
    for (tap[0] = depth.first_tap; tap[0] < depth.axis.window; tap[0] += depth.tap_step) {
      for (tap[1] = height.first_tap; tap[1] < height.axis.window; tap[1] += height.tap_step) {
        for (tap[2] = width.first_tap; tap[2] < width.axis.window; tap[2] += width.tap_step) {
          visit(tap);
        }
      }
    }
  }
};

/// Visits phases in packing order with the number of taps that lie before them.
template <class Visit>
void for_each_phase(const ConvolutionShape& shape, Visit visit) {
  std::int64_t taps_before = 0;
  const std::int64_t count =
      phase_count(shape.axes[0]) * phase_count(shape.axes[1]) * phase_count(shape.axes[2]);
  for (std::int64_t number = 0; number < count; ++number) {
    const Phase phase(shape, number);
    visit(phase, taps_before);
    taps_before += phase.tap_count();
  }
}

struct Scratch {
  float* x = nullptr;
  float* weights = nullptr;
  float* zeros = nullptr;
  const float** pointers = nullptr;  // per worker
  std::size_t bytes = 0;

  Scratch(std::byte* base, const ConvolutionShape& shape, std::int64_t packed, int workers) {
    ScratchPlan plan(base);
    if (!is_channels_last(shape)) {
      x = plan.take<float>(input_elements(shape));
    }
    weights = plan.take<float>(packed);
    zeros = plan.take<float>(shape.channels);
    pointers = plan.take<const float*>(shape.taps() * kRowsPerBlock * workers);
    bytes = plan.used();
  }
};

/// What all phases share.
struct Job {
  const ConvolutionArguments& arguments;
  const ConvolutionShape& shape;
  const gemm::MicroKernels& kernels;
  const float* x;
  const float* weights;
  const float* zeros;
};

/// Some pixels of one row of a phase: result row (image, od, oh) in units of the phase.
struct RowPiece {
  std::int64_t group, image, depth, height, first, count;
};

void fill_pointers(const Job& job, const Phase& phase, const RowPiece& piece,
                   const float** pointers) {
  const ConvolutionShape& shape = job.shape;
  const float* image = job.x + piece.image * shape.x_strides[0] + piece.group * shape.channels;
  phase.for_each_tap([&](const std::int64_t* tap) {
    const std::int64_t id = piece.depth + phase.depth.shift(tap[0]);
    const std::int64_t ih = piece.height + phase.height.shift(tap[1]);
    const std::int64_t first = piece.first + phase.width.shift(tap[2]);
    const bool inside = shape.axes[0].contains(id) && shape.axes[1].contains(ih);
    const float* row = inside ? image + id * shape.x_strides[2] + ih * shape.x_strides[3] : nullptr;
    for (std::int64_t i = 0; i < piece.count; ++i) {
      const std::int64_t iw = first + i;
      pointers[i] =
          inside && shape.axes[2].contains(iw) ? row + iw * shape.x_strides[4] : job.zeros;
    }
    pointers += kRowsPerBlock;
  });
}

void multiply_piece(const Job& job, const Phase& phase, std::int64_t taps_before,
                    const RowPiece& piece, const float* const* pointers,
                    const ParallelFor& parallel) {
  const ConvolutionShape& shape = job.shape;
  const std::int64_t columns = job.kernels.columns;
  const std::int64_t panels = gemm::panel_count(job.kernels, shape.outputs);
  const std::int64_t all_taps = shape.taps();
  const std::int64_t taps = phase.tap_count();
  const std::int64_t* strides = shape.y_strides;
  float* row = job.arguments.y + piece.image * strides[0] +
               (piece.depth * shape.axes[0].stride + phase.depth.remainder) * strides[2] +
               (piece.height * shape.axes[1].stride + phase.height.remainder) * strides[3] +
               (piece.first * shape.axes[2].stride + phase.width.remainder) * strides[4];
  const std::int64_t tiles = (piece.count + gemm::kMaxTileRows - 1) / gemm::kMaxTileRows;
  for (std::int64_t panel = 0; panel < panels && !parallel.is_stopped(); ++panel) {
    const std::int64_t column = piece.group * shape.outputs + panel * columns;
    gemm::IndirectTileArguments tile;
    tile.segments = taps;
    tile.segment_length = shape.channels;
    tile.pointer_stride = kRowsPerBlock;
    // Phases one after the other; within a phase its panels.
    tile.b = job.weights + ((piece.group * all_taps + taps_before) * panels + panel * taps) *
                               shape.channels * columns;
    tile.b_row_stride = columns;
    tile.c_row_stride = shape.axes[2].stride * strides[4];
    tile.columns = std::min(columns, shape.outputs - panel * columns);
    tile.start = job.arguments.bias != nullptr ? gemm::Start::kBias : gemm::Start::kZero;
    tile.bias = job.arguments.bias != nullptr ? job.arguments.bias + column : nullptr;
    std::int64_t done = 0;
    for (std::int64_t t = 0; t < tiles; ++t) {
      const std::int64_t rows = piece.count / tiles + (t < piece.count % tiles ? 1 : 0);
      tile.rows = pointers + done;
      tile.c = row + done * tile.c_row_stride + column;
      job.kernels.indirect_tile[rows](tile);
      done += rows;
    }
  }
}

void run_phase(const Job& job, const Phase& phase, std::int64_t taps_before, const Scratch& scratch,
               const KernelContext& context) {
  const ConvolutionShape& shape = job.shape;
  const std::int64_t width = phase.width.positions();
  const std::int64_t height = phase.height.positions();
  const std::int64_t depth = phase.depth.positions();
  const std::int64_t pieces = (width + kRowsPerBlock - 1) / kRowsPerBlock;
  const std::int64_t items = shape.group * shape.batch * depth * height * pieces;
  const std::int64_t products =
      std::min(width, kRowsPerBlock) * shape.outputs * phase.tap_count() * shape.channels;
  context.parallel.run(
      items, 1 + kProductsPerPiece / (products + 1),
      [&](std::int64_t begin, std::int64_t end, int worker) {
        const float** pointers = scratch.pointers + worker * shape.taps() * kRowsPerBlock;
        for (std::int64_t item = begin; item < end; ++item) {
          std::int64_t rest = item;
          RowPiece piece{};
          piece.first = rest % pieces * kRowsPerBlock;
          piece.count = std::min(kRowsPerBlock, width - piece.first);
          rest /= pieces;
          piece.height = rest % height;
          rest /= height;
          piece.depth = rest % depth;
          rest /= depth;
          piece.image = rest % shape.batch;
          piece.group = rest / shape.batch;
          fill_pointers(job, phase, piece, pointers);
          multiply_piece(job, phase, taps_before, piece, pointers, context.parallel);
        }
      });
}

}  // namespace

std::int64_t transposed_packed_elements(const ConvolutionShape& shape, CpuLevel level) {
  const gemm::MicroKernels& kernels = gemm::micro_kernels(level);
  return shape.group * gemm::packed_elements(kernels, shape.taps() * shape.channels, shape.outputs);
}

void pack_transposed_weights(const ConvolutionShape& shape, const float* weights, CpuLevel level,
                             float* packed, ParallelFor& parallel) {
  const gemm::MicroKernels& kernels = gemm::micro_kernels(level);
  const std::int64_t panels = gemm::panel_count(kernels, shape.outputs);
  const std::int64_t tap_elements = shape.channels * kernels.columns;
  parallel.run(shape.group, 1, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t group = begin; group < end; ++group) {
      for_each_phase(shape, [&](const Phase& phase, std::int64_t taps_before) {
        const std::int64_t taps = phase.tap_count();
        float* target = packed + (group * shape.taps() + taps_before) * panels * tap_elements;
        std::int64_t position = 0;
        phase.for_each_tap([&](const std::int64_t* tap) {
          const float* from = weights + group * shape.group_stride + tap[0] * shape.tap_strides[0] +
                              tap[1] * shape.tap_strides[1] + tap[2] * shape.tap_strides[2];
          for (std::int64_t panel = 0; panel < panels; ++panel) {
            const std::int64_t output = panel * kernels.columns;
            gemm::pack_panel({from, shape.channel_stride, shape.output_stride}, shape.channels,
                             output,
                             std::min<std::int64_t>(kernels.columns, shape.outputs - output),
                             kernels.columns, target + (panel * taps + position) * tap_elements);
          }
          ++position;
        });
      });
    }
  });
}

std::size_t transposed_scratch_bytes(const ConvolutionShape& shape, CpuLevel level, bool packed,
                                     int worker_count) {
  return Scratch(nullptr, shape, packed ? 0 : transposed_packed_elements(shape, level),
                 worker_count)
      .bytes;
}

void convolve_transposed(const ConvolutionArguments& arguments, const KernelContext& context) {
  const ConvolutionShape& given = arguments.shape;
  const ConvolutionShape shape = with_channels_last_input(given);
  const Scratch scratch(
      context.scratch, given,
      arguments.packed != nullptr ? 0 : transposed_packed_elements(given, context.level),
      context.parallel.worker_count());
  Job job{arguments,        shape,        gemm::micro_kernels(context.level), arguments.x,
          arguments.packed, scratch.zeros};
  if (!is_channels_last(given)) {
    copy_to_channels_last(given, arguments.x, scratch.x, context);
    job.x = scratch.x;
  }
  if (arguments.packed == nullptr) {
    pack_transposed_weights(given, arguments.weights, context.level, scratch.weights,
                            context.parallel);
    job.weights = scratch.weights;
  }
  std::fill_n(scratch.zeros, shape.channels, 0.0f);
  for_each_phase(shape, [&](const Phase& phase, std::int64_t taps_before) {
    run_phase(job, phase, taps_before, scratch, context);
  });
}

}  // namespace pliant::kernels::convolution
