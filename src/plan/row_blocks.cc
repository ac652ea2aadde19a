#include "plan/row_blocks.h"

#include <algorithm>
#include <optional>
#include <span>

namespace pliant::plan {
namespace {

// Measured with plan_bench (a scaled sum, then LAYER_NORM or SOFTMAX of 768 columns) where L2 has 512
// KiB and L3 32 MiB: together takes 0.82 to 0.98 of the time in main memory and 0.91 to 1.03, within
// noise, in L3. In L2, with blocks of 64 KiB, it took 1.01 to 1.08: each call costs about 100 ns more
// per block. Rows of 128 columns gain nothing.

/// What the rows of a block take in all tensors together: a part of L2.
constexpr std::size_t kBlockBytes = std::size_t{192} << 10U;
/// A longer row leaves no room for the next call to find it in cache.
constexpr std::size_t kLongestRowBytes = std::size_t{256} << 10U;
/// If all tensors take less, they are in L2 anyway.
constexpr std::size_t kLeastBytes = std::size_t{2} << 20U;
/// Bytes per byte that is read again by a later call; more are not worth it.
constexpr std::size_t kMostPerByteAgain = 8;

/// How many rows the results of a step have, whose first axes tell them apart.
std::int64_t row_count(const Step& step, int axes, const Scratchpad& scratchpad) {
  const int value =
      step.op == nullptr ? step.group_results[0] : step.instructions[0].outputs[0].value;
  if (value < 0) {
    return 0;
  }
  std::int64_t rows = 1;
  for (int axis = 0; axis < axes; ++axis) {
    rows *=
        scratchpad.values[static_cast<std::size_t>(value)].shape[static_cast<std::size_t>(axis)];
  }
  return rows;
}

/// How calls [first, end) can run together. `tensors` are theirs.
std::optional<RowBlocks> blocks_of(std::size_t first, std::size_t end, std::int64_t rows,
                                   std::span<const RowTensor> tensors, const BoundRun& run) {
  if (rows < 2) {
    return std::nullopt;
  }
  for (std::size_t call = first; call < end; ++call) {
    const std::int64_t count = run.calls.loop_count(call);
    if (run.calls.has_work(call) && (count == 0 || count % rows != 0)) {
      return std::nullopt;
    }
  }
  std::vector<const void*> touched;
  std::size_t bytes = 0;
  std::size_t bytes_again = 0;
  for (const RowTensor& tensor : tensors) {
    if (!run.calls.has_work(tensor.call)) {
      continue;
    }
    if (std::find(touched.begin(), touched.end(), tensor.memory) == touched.end()) {
      touched.push_back(tensor.memory);
      bytes += tensor.bytes;
    } else if (tensor.use == RowTensor::Use::kRead) {
      bytes_again += tensor.bytes;
    }
  }
  const std::size_t row_bytes = std::max<std::size_t>(bytes / static_cast<std::size_t>(rows), 1);
  if (bytes < kLeastBytes || bytes > bytes_again * kMostPerByteAgain ||
      row_bytes > kLongestRowBytes) {
    return std::nullopt;
  }
  const auto block = static_cast<std::int64_t>(kBlockBytes / row_bytes);
  return RowBlocks{first, end, rows, std::clamp<std::int64_t>(block, 1, rows)};
}

}  // namespace

void find_row_blocks(const Plan& plan, const Scratchpad& scratchpad, BoundRun& run) {
  run.row_blocks.clear();
  const std::vector<BoundCall>& calls = run.call_information;
  const auto step_of = [&](std::size_t call) { return calls[call].origin.step; };
  const auto rows_with_next = [&](std::size_t call) {
    const auto step = static_cast<std::size_t>(step_of(call));
    return step < plan.steps.size() ? plan.steps[step].rows_with_next : 0;  // copies for live-outs
  };
  const auto belongs = [&](std::size_t call) {
    return step_of(call) == step_of(call - 1) || rows_with_next(call - 1) > 0;
  };
  auto tensor = scratchpad.row_tensors.begin();
  std::size_t first = 0;
  while (first < calls.size()) {
    const int row_axes = rows_with_next(first);
    std::size_t end = first + 1;
    while (end < calls.size() && row_axes > 0 && belongs(end)) {
      ++end;
    }
    if (row_axes > 0) {
      const auto begin = std::find_if(tensor, scratchpad.row_tensors.end(),
                                      [&](const RowTensor& t) { return t.call >= first; });
      tensor = std::find_if(begin, scratchpad.row_tensors.end(),
                            [&](const RowTensor& t) { return t.call >= end; });
      const std::int64_t rows =
          row_count(plan.steps[static_cast<std::size_t>(step_of(first))], row_axes, scratchpad);
      if (const auto blocks = blocks_of(first, end, rows, {begin, tensor}, run)) {
        run.row_blocks.push_back(*blocks);
      }
    }
    first = end;
  }
}

void run_row_blocks(const RowBlocks& blocks, const BoundRun& run, const Environment& environment,
                    std::byte* arena) {
  environment.parallel.run(
      blocks.rows, blocks.block, [&](std::int64_t begin, std::int64_t end, int worker) {
        for (std::int64_t first = begin; first < end; first += blocks.block) {
          SliceFor slice(environment.parallel,
                         {first, std::min(first + blocks.block, end), blocks.rows}, worker);
          for (std::size_t i = blocks.first; i < blocks.end; ++i) {
            run.calls.run(
                i, {slice, run.scratch_of(run.call_information[i], arena), environment.level});
          }
        }
      });
}

}  // namespace pliant::plan
