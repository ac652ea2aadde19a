#include "plan/row_blocks.h"

#include <algorithm>
#include <optional>

namespace pliant::plan {
namespace {

// Measured with plan_bench (a scaled sum, then LAYER_NORM or SOFTMAX of 768 columns) where L2 has 512
// KiB and L3 32 MiB: together takes 0.82 to 0.93 of the time in main memory and 0.91 to 1.03, within
// noise, in L3. In L2, with blocks of 64 KiB, it took 1.01 to 1.08: each call costs about 100 ns more
// per block.

/// What the rows of a block take in all tensors together: a part of L2.
constexpr std::int64_t kBlockBytes = std::int64_t{192} << 10U;
/// A longer row leaves no room for the next call to find it in cache.
constexpr std::int64_t kLongestRowBytes = std::int64_t{256} << 10U;
/// If all tensors take less, they are in L2 anyway.
constexpr std::int64_t kLeastBytes = std::int64_t{2} << 20U;
/// Bytes per byte that is read again by a later call; more are not worth it.
constexpr std::int64_t kMostPerByteAgain = 8;

std::int64_t bytes_of(const Located& tensor) {
  return tensor.view.element_count() * static_cast<std::int64_t>(byte_size(tensor.view.dtype));
}

std::int64_t row_count(const TensorView& view, int axes) {
  std::int64_t rows = 1;
  for (int axis = 0; axis < axes; ++axis) {
    rows *= view.shape[static_cast<std::size_t>(axis)];
  }
  return rows;
}

/// How calls [first, end) can run together.
std::optional<RowBlocks> blocks_of(std::span<const Rebinding> calls, std::size_t first,
                                   std::size_t end, int row_axes, const BoundRun& run) {
  RowBlocks blocks{first, end, row_count(calls[first].outputs[0].view, row_axes), 0};
  if (blocks.rows < 2) {
    return std::nullopt;
  }
  std::vector<int> touched;
  std::int64_t bytes = 0;
  std::int64_t bytes_again = 0;
  for (std::size_t i = first; i < end; ++i) {
    if (!run.calls.has_work(i)) {
      continue;
    }
    const std::int64_t count = run.calls.loop_count(i);
    if (count == 0 || count % blocks.rows != 0) {
      return std::nullopt;
    }
    for (const auto* const list : {&calls[i].inputs, &calls[i].outputs}) {
      for (const Located& tensor : *list) {
        if (tensor.buffer == Located::kFixedPlace) {
          continue;
        }
        if (std::find(touched.begin(), touched.end(), tensor.buffer) == touched.end()) {
          touched.push_back(tensor.buffer);
          bytes += bytes_of(tensor);
        } else if (list == &calls[i].inputs) {
          bytes_again += bytes_of(tensor);
        }
      }
    }
  }
  const std::int64_t row_bytes = std::max<std::int64_t>(bytes / blocks.rows, 1);
  if (bytes < kLeastBytes || bytes > bytes_again * kMostPerByteAgain ||
      row_bytes > kLongestRowBytes) {
    return std::nullopt;
  }
  blocks.block = std::clamp<std::int64_t>(kBlockBytes / row_bytes, 1, blocks.rows);
  return blocks;
}

}  // namespace

void find_row_blocks(const Plan& plan, std::span<const Rebinding> calls, BoundRun& run) {
  run.row_blocks.clear();
  const auto rows_with_next = [&](std::size_t call) {
    const auto step = static_cast<std::size_t>(calls[call].step);
    return step < plan.steps.size() ? plan.steps[step].rows_with_next : 0;  // copies for live-outs
  };
  std::size_t first = 0;
  while (first < calls.size()) {
    const int row_axes = rows_with_next(first);
    std::size_t end = first + 1;
    const auto belongs = [&](std::size_t call) {
      return calls[call].step == calls[call - 1].step || rows_with_next(call - 1) > 0;
    };
    while (end < calls.size() && row_axes > 0 && belongs(end)) {
      ++end;
    }
    if (row_axes > 0) {
      if (const auto blocks = blocks_of(calls, first, end, row_axes, run)) {
        run.row_blocks.push_back(*blocks);
      }
    }
    first = end;
  }
}

void run_row_blocks(const RowBlocks& blocks, const BoundRun& run, const Environment& environment,
                    std::byte* arena) {
  const int worker_count = environment.parallel.worker_count();
  environment.parallel.run(
      blocks.rows, blocks.block, [&](std::int64_t begin, std::int64_t end, int worker) {
        for (std::int64_t first = begin; first < end; first += blocks.block) {
          SliceFor slice({first, std::min(first + blocks.block, end), blocks.rows}, worker,
                         worker_count);
          for (std::size_t i = blocks.first; i < blocks.end; ++i) {
            run.calls.run(i, {slice, arena + run.call_information[i].scratch, environment.level});
          }
        }
      });
}

}  // namespace pliant::plan
