#pragma once

#include "kernels/reduce/block_reduction.h"
#include "kernels/simd/math.h"
#include "kernels/softmax/softmax_row.h"

namespace pliant::kernels::PLIANT_SIMD_LEVEL {
namespace {

float row_maximum(const float* x, std::int64_t count) {
  const ReduceBlock<float> maximum = reduce_block(BlockReduction::kMaximum);
  float result = -__builtin_inff();
  for (std::int64_t first = 0; first < count; first += kReductionBlock) {
    const std::int64_t length = count - first < kReductionBlock ? count - first : kReductionBlock;
    const float block = maximum(x + first, length, 0.0f);
    result = (result > block || result != result) ? result : block;
  }
  return result;
}

}  // namespace

void softmax_row(const float* x, float* y, std::int64_t count) {
  // A row of -infinity, or one with NaN or +infinity, becomes NaN by itself: inf - inf.
  const float maximum = row_maximum(x, count);
  const Float shift = broadcast(maximum);
  const ReduceBlock<float> sum = reduce_block(BlockReduction::kSum);
  double total = 0;
  for (std::int64_t first = 0; first < count; first += kReductionBlock) {
    const std::int64_t end = count - first < kReductionBlock ? count : first + kReductionBlock;
    std::int64_t i = first;
    for (; i + kWidth <= end; i += kWidth) {
      store(y + i, exponential(load(x + i) - shift));
    }
    if (i < end) {
      store_partial(y + i, exponential(load_partial(x + i, end - i) - shift), end - i);
    }
    total += static_cast<double>(sum(y + first, end - first, 0.0f));
  }
  const Float scale = broadcast(static_cast<float>(1.0 / total));
  std::int64_t i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    store(y + i, load(y + i) * scale);
  }
  if (i < count) {
    store_partial(y + i, load_partial(y + i, count - i) * scale, count - i);
  }
}

void log_softmax_row(const float* x, float* y, std::int64_t count) {
  const float maximum = row_maximum(x, count);
  const ReduceBlock<float> sum = reduce_block(BlockReduction::kSumOfExponentials);
  double total = 0;
  for (std::int64_t first = 0; first < count; first += kReductionBlock) {
    const std::int64_t length = count - first < kReductionBlock ? count - first : kReductionBlock;
    total += static_cast<double>(sum(x + first, length, maximum));
  }
  const Float shift = broadcast(maximum);
  const Float logarithm = broadcast(static_cast<float>(__builtin_log(total)));
  std::int64_t i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    store(y + i, load(x + i) - shift - logarithm);
  }
  if (i < count) {
    store_partial(y + i, load_partial(x + i, count - i) - shift - logarithm, count - i);
  }
}

}  // namespace pliant::kernels::PLIANT_SIMD_LEVEL
