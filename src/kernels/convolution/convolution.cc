#include "kernels/convolution/convolution.h"

#include <algorithm>

#include "kernels/convolution/channels_last.h"
#include "kernels/convolution/depthwise.h"
#include "kernels/convolution/pointer_block.h"
#include "kernels/gemm/gemm.h"

namespace pliant::kernels::convolution {
namespace {

// Work below this many multiplications is not worth handing to another thread.
constexpr std::int64_t kProductsPerPiece = 65536;

/// The pieces of scratch memory that a convolution uses.
struct Scratch {
  float* x = nullptr;  // channels-last copy, if x is not so already
  float* weights = nullptr;
  float* zeros = nullptr;
  const float** pointers = nullptr;  // per worker
  float* patches = nullptr;          // per worker
  std::size_t bytes = 0;

  Scratch(std::byte* base, const ConvolutionShape& shape, const Walk& walk, std::int64_t packed,
          int workers) {
    ScratchPlan plan(base);
    if (!is_channels_last(shape)) {
      x = plan.take<float>(input_elements(shape));
    }
    weights = plan.take<float>(packed);
    zeros = plan.take<float>(std::max(walk.segment_length, shape.total_channels()));
    pointers = plan.take<const float*>(walk.pointer_count() * workers);
    patches = plan.take<float>(walk.patch_elements() * workers);
    bytes = plan.used();
  }
};

/// Everything the loops need once inputs are in the form that they want.
struct Prepared {
  ConvolutionShape shape;
  Walk walk;
  const float* x = nullptr;
  const float* weights = nullptr;
  const float* zeros = nullptr;
};

/// Rows [first, first + count) of C from a filled table of pointers, in tiles that differ by at
/// most one row, for panels [begin, end) of one group.
void multiply_block(const gemm::MicroKernels& kernels, const ConvolutionArguments& arguments,
                    const Prepared& prepared, std::int64_t group, std::int64_t first,
                    std::int64_t count, std::int64_t begin, std::int64_t end,
                    const float* const* pointers, const ParallelFor& parallel) {
  const ConvolutionShape& shape = prepared.shape;
  const std::int64_t k = prepared.walk.segments * prepared.walk.segment_length;
  const std::int64_t panels = gemm::panel_count(kernels, shape.outputs);
  const std::int64_t tiles = (count + gemm::kMaxTileRows - 1) / gemm::kMaxTileRows;
  for (std::int64_t panel = begin; panel < end && !parallel.is_stopped(); ++panel) {
    const std::int64_t output = panel * kernels.columns;
    const std::int64_t column = group * shape.outputs + output;
    gemm::IndirectTileArguments tile;
    tile.segments = prepared.walk.segments;
    tile.segment_length = prepared.walk.segment_length;
    tile.pointer_stride = prepared.walk.block_rows;
    tile.b = prepared.weights + (group * panels + panel) * k * kernels.columns;
    tile.b_row_stride = kernels.columns;
    tile.c_row_stride = shape.total_outputs();
    tile.columns = std::min<std::int64_t>(kernels.columns, shape.outputs - output);
    tile.start = arguments.bias != nullptr ? gemm::Start::kBias : gemm::Start::kZero;
    tile.bias = arguments.bias != nullptr ? arguments.bias + column : nullptr;
    std::int64_t row = 0;
    for (std::int64_t t = 0; t < tiles; ++t) {
      const std::int64_t rows = count / tiles + (t < count % tiles ? 1 : 0);
      tile.rows = pointers + row;
      tile.c = arguments.y + (first + row) * shape.total_outputs() + column;
      kernels.indirect_tile[rows](tile);
      row += rows;
    }
  }
}

void run_tiles(const ConvolutionArguments& arguments, const Prepared& prepared,
               const Scratch& scratch, const KernelContext& context) {
  const gemm::MicroKernels& kernels = gemm::micro_kernels(context.level);
  const ConvolutionShape& shape = prepared.shape;
  const Walk& walk = prepared.walk;
  const std::int64_t pixels = shape.pixels();
  const std::int64_t panels = gemm::panel_count(kernels, shape.outputs);
  const std::int64_t blocks = (pixels + walk.block_rows - 1) / walk.block_rows;
  // Few pixels: panels are handed out too, at the price of filling the table of pointers again.
  const std::int64_t wanted = std::int64_t{4} * context.parallel.worker_count();
  const std::int64_t chunks = std::clamp<std::int64_t>(wanted / (blocks * shape.group), 1, panels);
  const std::int64_t items = shape.group * blocks * chunks;
  const std::int64_t products = std::min(walk.block_rows, pixels) * shape.outputs * walk.segments *
                                walk.segment_length / chunks;
  context.parallel.run(items, 1 + kProductsPerPiece / (products + 1),
                       [&](std::int64_t begin, std::int64_t end, int worker) {
                         const float** pointers = scratch.pointers + worker * walk.pointer_count();
                         float* patches = scratch.patches + worker * walk.patch_elements();
                         for (std::int64_t item = begin; item < end; ++item) {
                           const std::int64_t chunk = item % chunks;
                           const std::int64_t block = item / chunks % blocks;
                           const std::int64_t group = item / chunks / blocks;
                           const std::int64_t first = block * pixels / blocks;
                           const std::int64_t count = (block + 1) * pixels / blocks - first;
                           fill_pointers(shape, walk, prepared.x + group * shape.channels, first,
                                         count, prepared.zeros, patches, pointers);
                           multiply_block(kernels, arguments, prepared, group, first, count,
                                          chunk * panels / chunks, (chunk + 1) * panels / chunks,
                                          pointers, context.parallel);
                         }
                       });
}

void run_depthwise(const ConvolutionArguments& arguments, const Prepared& prepared,
                   const Scratch& scratch, const KernelContext& context) {
  const ConvolutionShape& shape = prepared.shape;
  const Walk& walk = prepared.walk;
  DepthwiseKernels kernels = depthwise_kernels(context.level);
  const std::int64_t channels = shape.total_channels();
  const std::int64_t pixels = shape.pixels();
  const std::int64_t blocks = (pixels + walk.block_rows - 1) / walk.block_rows;
  const std::int64_t products = walk.block_rows * channels * walk.segments;
  context.parallel.run(
      blocks, 1 + kProductsPerPiece / (products + 1),
      [&](std::int64_t begin, std::int64_t end, int worker) {
        const float** pointers = scratch.pointers + worker * walk.pointer_count();
        for (std::int64_t block = begin; block < end; ++block) {
          const std::int64_t first = block * walk.block_rows;
          const std::int64_t count = std::min(walk.block_rows, pixels - first);
          fill_pointers(shape, walk, prepared.x, first, count, prepared.zeros, nullptr, pointers);
          for (std::int64_t row = 0; row < count && !context.parallel.is_stopped();
               row += kDepthwiseRows) {
            const std::int64_t rows = std::min<std::int64_t>(kDepthwiseRows, count - row);
            kernels[rows]({.taps = walk.segments,
                           .channels = channels,
                           .pixels = pointers + row,
                           .pointer_stride = walk.block_rows,
                           .filter = prepared.weights,
                           .bias = arguments.bias,
                           .y = arguments.y + (first + row) * channels,
                           .y_row_stride = channels});
          }
        }
      });
}

}  // namespace

std::int64_t packed_elements(const ConvolutionShape& shape, CpuLevel level) {
  if (shape.is_depthwise()) {
    return shape.taps() * shape.group;
  }
  return shape.group * gemm::packed_elements(gemm::micro_kernels(level),
                                             shape.taps() * shape.channels, shape.outputs);
}

void pack_weights(const ConvolutionShape& shape, const float* weights, CpuLevel level,
                  float* packed, ParallelFor& parallel) {
  const WindowAxis* axes = shape.axes;
  const std::int64_t taps = shape.taps();
  const auto tap_at = [&](std::int64_t tap) {
    return tap % axes[2].window * shape.tap_strides[2] +
           tap / axes[2].window % axes[1].window * shape.tap_strides[1] +
           tap / axes[2].window / axes[1].window * shape.tap_strides[0];
  };
  if (shape.is_depthwise()) {
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      for (std::int64_t c = 0; c < shape.group; ++c) {
        packed[tap * shape.group + c] = weights[tap_at(tap) + c * shape.group_stride];
      }
    }
    return;
  }
  const gemm::MicroKernels& kernels = gemm::micro_kernels(level);
  const std::int64_t panels = gemm::panel_count(kernels, shape.outputs);
  const std::int64_t tap_elements = shape.channels * kernels.columns;
  parallel.run(shape.group * panels, 1 + kProductsPerPiece / (taps * tap_elements + 1),
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t item = begin; item < end; ++item) {
                   const std::int64_t output = item % panels * kernels.columns;
                   const float* group = weights + item / panels * shape.group_stride;
                   for (std::int64_t tap = 0; tap < taps; ++tap) {
                     gemm::pack_panel(
                         {group + tap_at(tap), shape.channel_stride, shape.output_stride},
                         shape.channels, output,
                         std::min<std::int64_t>(kernels.columns, shape.outputs - output),
                         kernels.columns, packed + (item * taps + tap) * tap_elements);
                   }
                 }
               });
}

ConvolutionForm convolution_form(const ConvolutionShape& shape, CpuLevel level) {
  const Walk walk = choose_walk(with_channels_last_input(shape));
  ConvolutionForm form;
  form.depthwise = shape.is_depthwise();
  form.copies_x = !is_channels_last(shape);
  form.merges_taps = walk.merged;
  form.segments = walk.segments;
  form.segment_length = walk.segment_length;
  form.block_pixels = walk.block_rows;
  form.tile_rows = form.depthwise ? kDepthwiseRows : gemm::kMaxTileRows;
  form.tile_columns = form.depthwise ? shape.total_channels() : gemm::micro_kernels(level).columns;
  return form;
}

std::size_t scratch_bytes(const ConvolutionShape& shape, CpuLevel level, bool packed,
                          int worker_count) {
  const Walk walk = choose_walk(with_channels_last_input(shape));
  return Scratch(nullptr, shape, walk, packed ? 0 : packed_elements(shape, level), worker_count)
      .bytes;
}

void convolve(const ConvolutionArguments& arguments, const KernelContext& context) {
  const ConvolutionShape& given = arguments.shape;
  Prepared prepared;
  prepared.shape = with_channels_last_input(given);
  prepared.walk = choose_walk(prepared.shape);
  const Scratch scratch(context.scratch, given, prepared.walk,
                        arguments.packed != nullptr ? 0 : packed_elements(given, context.level),
                        context.parallel.worker_count());
  prepared.x = arguments.x;
  if (!is_channels_last(given)) {
    copy_to_channels_last(given, arguments.x, scratch.x, context);
    prepared.x = scratch.x;
  }
  prepared.weights = arguments.packed;
  if (arguments.packed == nullptr) {
    pack_weights(given, arguments.weights, context.level, scratch.weights, context.parallel);
    prepared.weights = scratch.weights;
  }
  std::fill_n(scratch.zeros, std::max(prepared.walk.segment_length, given.total_channels()), 0.0f);
  prepared.zeros = scratch.zeros;
  (given.is_depthwise() ? run_depthwise : run_tiles)(arguments, prepared, scratch, context);
}

}  // namespace pliant::kernels::convolution
