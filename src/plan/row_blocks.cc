#include "plan/row_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

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
  const TensorView view = scratchpad.values.view(value);
  std::int64_t rows = 1;
  for (int axis = 0; axis < axes; ++axis) {
    rows *= view.shape[static_cast<std::size_t>(axis)];
  }
  return rows;
}

/// Calls of steps that the compiler has joined, and their tensors.
struct JoinedCalls {
  int first_step = 0;
  std::size_t first = 0;  ///< of the calls [first, end)
  std::size_t end = 0;
  std::int64_t rows = 0;
  std::span<const RowTensor> tensors;
};

/// What decides whether calls run together.
struct Weight {
  int strided_step = -1;        ///< a step whose work does not come row by row, or -1
  std::size_t bytes = 0;        ///< of all tensors
  std::size_t bytes_again = 0;  ///< that calls read after others have touched them
  std::size_t row_bytes = 0;

  [[nodiscard]] bool is_worth_it() const {
    return strided_step < 0 && bytes >= kLeastBytes && row_bytes <= kLongestRowBytes &&
           bytes <= bytes_again * kMostPerByteAgain;
  }
};

/// For two rows or more.
Weight weigh(const JoinedCalls& joined, const BoundRun& run) {
  Weight weight;
  for (std::size_t call = joined.first; call < joined.end && weight.strided_step < 0; ++call) {
    const std::int64_t count = run.calls.loop_count(call);
    if (run.calls.has_work(call) && (count == 0 || count % joined.rows != 0)) {
      weight.strided_step = run.call_information[call].origin.step;
    }
  }
  std::vector<const void*> touched;
  for (const RowTensor& tensor : joined.tensors) {
    if (!run.calls.has_work(tensor.call)) {
      continue;
    }
    if (std::find(touched.begin(), touched.end(), tensor.memory) == touched.end()) {
      touched.push_back(tensor.memory);
      weight.bytes += tensor.bytes;
    } else if (tensor.use == RowTensor::Use::kRead) {
      weight.bytes_again += tensor.bytes;
    }
  }
  weight.row_bytes = std::max<std::size_t>(weight.bytes / static_cast<std::size_t>(joined.rows), 1);
  return weight;
}

/// Calls visit(joined) for all steps that the compiler has joined.
template <class Visit>
void for_each_joined(const Plan& plan, const Scratchpad& scratchpad, const BoundRun& run,
                     Visit&& visit) {
  if (scratchpad.row_tensors.empty()) {
    return;
  }
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
      const Step& step = plan.steps[static_cast<std::size_t>(step_of(first))];
      visit(JoinedCalls{
          step_of(first), first, end, row_count(step, row_axes, scratchpad), {begin, tensor}});
    }
    first = end;
  }
}

}  // namespace

void find_row_blocks(const Plan& plan, const Scratchpad& scratchpad, BoundRun& run) {
  run.row_blocks.clear();
  for_each_joined(plan, scratchpad, run, [&](const JoinedCalls& joined) {
    if (joined.rows < 2) {
      return;
    }
    if (const Weight weight = weigh(joined, run); weight.is_worth_it()) {
      const auto block = static_cast<std::int64_t>(kBlockBytes / weight.row_bytes);
      run.row_blocks.push_back(
          {joined.first, joined.end, joined.rows, std::clamp<std::int64_t>(block, 1, joined.rows)});
    }
  });
}

std::string why_rows_run_apart(const Plan& plan, const Scratchpad& scratchpad, const BoundRun& run,
                               int first_step) {
  std::string words = "there is nothing to do";  // and so no calls
  for_each_joined(plan, scratchpad, run, [&](const JoinedCalls& joined) {
    if (joined.first_step != first_step) {
      return;
    }
    if (joined.rows < 2) {
      words = "there are fewer than two rows";
      return;
    }
    const Weight weight = weigh(joined, run);
    if (weight.is_worth_it()) {
      words.clear();
    } else if (weight.strided_step >= 0) {
      words =
          fmt::format("step {} does not go row by row through dense memory", weight.strided_step);
    } else if (weight.bytes < kLeastBytes) {
      words = fmt::format("all tensors take {} bytes, which stay in cache: it is of use from {} on",
                          weight.bytes, kLeastBytes);
    } else if (weight.row_bytes > kLongestRowBytes) {
      words = fmt::format("a row of all tensors takes {} bytes: more than {} leave the cache",
                          weight.row_bytes, kLongestRowBytes);
    } else {
      words = fmt::format("later steps read again only {} of {} bytes", weight.bytes_again,
                          weight.bytes);
    }
  });
  return words;
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
