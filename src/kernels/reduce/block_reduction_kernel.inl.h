#pragma once

#include "kernels/reduce/block_reduction.h"
#include "kernels/simd/math.h"

namespace pliant::kernels::PLIANT_SIMD_LEVEL {
namespace {

constexpr int kVectors = static_cast<int>(kReductionLanes) / kWidth;

// What a reduction does: the lanes' start, what becomes of an element, how two lanes meet.
struct Adding {
  static PLIANT_INLINE Float identity() { return Float{}; }
  static PLIANT_INLINE Float combine(Float a, Float b) { return a + b; }
};
struct Sum : Adding {
  static PLIANT_INLINE Float prepare(Float x, Float) { return x; }
};
struct SumOfAbsolutes : Adding {
  static PLIANT_INLINE Float prepare(Float x, Float) { return absolute(x); }
};
struct SumOfSquares : Adding {
  static PLIANT_INLINE Float prepare(Float x, Float) { return x * x; }
};
struct SumOfExponentials : Adding {
  static PLIANT_INLINE Float prepare(Float x, Float shift) { return exponential(x - shift); }
};
struct SumOfSquaredDeviations : Adding {
  static PLIANT_INLINE Float prepare(Float x, Float shift) { return (x - shift) * (x - shift); }
};
struct Product {
  static PLIANT_INLINE Float identity() { return broadcast(1.0f); }
  static PLIANT_INLINE Float prepare(Float x, Float) { return x; }
  static PLIANT_INLINE Float combine(Float a, Float b) { return a * b; }
};
struct Maximum {
  static PLIANT_INLINE Float identity() { return broadcast(-__builtin_inff()); }
  static PLIANT_INLINE Float prepare(Float x, Float) { return x; }
  static PLIANT_INLINE Float combine(Float a, Float b) { return nan_maximum(a, b); }
};
struct Minimum {
  static PLIANT_INLINE Float identity() { return broadcast(__builtin_inff()); }
  static PLIANT_INLINE Float prepare(Float x, Float) { return x; }
  static PLIANT_INLINE Float combine(Float a, Float b) { return nan_minimum(a, b); }
};

PLIANT_INLINE Int lane_numbers() {
  Int lanes{};
  for (int i = 0; i < kWidth; ++i) {
    lanes[i] = i;
  }
  return lanes;
}

/// Lane 0 of a tree over 16 lanes; lane i meets lane i + 8, and so on.
template <class Reduction>
PLIANT_INLINE float fold_lanes(Float (&lanes)[kVectors]) {
  for (int half = kVectors / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) {
      lanes[i] = Reduction::combine(lanes[i], lanes[i + half]);
    }
  }
  Float folded = lanes[0];
#if defined(__AVX512F__)
  folded =
      Reduction::combine(folded, __builtin_shufflevector(folded, folded, 8, 9, 10, 11, 12, 13, 14,
                                                         15, 8, 9, 10, 11, 12, 13, 14, 15));
  folded = Reduction::combine(folded, __builtin_shufflevector(folded, folded, 4, 5, 6, 7, 4, 5, 6,
                                                              7, 4, 5, 6, 7, 4, 5, 6, 7));
  folded = Reduction::combine(folded, __builtin_shufflevector(folded, folded, 2, 3, 2, 3, 2, 3, 2,
                                                              3, 2, 3, 2, 3, 2, 3, 2, 3));
#elif defined(__AVX2__)
  folded =
      Reduction::combine(folded, __builtin_shufflevector(folded, folded, 4, 5, 6, 7, 4, 5, 6, 7));
  folded =
      Reduction::combine(folded, __builtin_shufflevector(folded, folded, 2, 3, 2, 3, 6, 7, 6, 7));
#else
  folded = Reduction::combine(folded, __builtin_shufflevector(folded, folded, 2, 3, 2, 3));
#endif
  // Lane 0 with lane 1.
  const Float upper = broadcast(folded[1]);
  folded = Reduction::combine(folded, upper);
  return folded[0];
}

template <class Reduction>
float reduce_row_block(const float* block, std::int64_t count, float shift) {
  Float lanes[kVectors];
  for (Float& lane : lanes) {
    lane = Reduction::identity();
  }
  const Float shifts = broadcast(shift);
  std::int64_t k = 0;
  for (; k + kReductionLanes <= count; k += kReductionLanes) {
    for (int i = 0; i < kVectors; ++i) {
      lanes[i] =
          Reduction::combine(lanes[i], Reduction::prepare(load(block + k + i * kWidth), shifts));
    }
  }
  for (int i = 0; i < kVectors && k < count; ++i, k += kWidth) {
    const std::int64_t rest = count - k < kWidth ? count - k : kWidth;
    const Int present = lane_numbers() < broadcast(static_cast<std::int32_t>(rest));
    const Float x = Reduction::prepare(load_partial(block + k, rest), shifts);
    lanes[i] = Reduction::combine(lanes[i], select(present, x, Reduction::identity()));
  }
  return fold_lanes<Reduction>(lanes);
}

template <class Reduction>
void reduce_column_block(const ColumnBlock& block) {
  // Lanes that no element belongs to would only add the identity, which changes nothing.
  const std::int64_t lane_count = block.count < kReductionLanes ? block.count : kReductionLanes;
  const int vectors = static_cast<int>((block.columns + kWidth - 1) / kWidth);
  const std::int64_t rest = block.columns - (vectors - 1) * kWidth;
  Float lanes[kReductionLanes][kReductionColumns / kWidth];
  Float shifts[kReductionColumns / kWidth] = {};
  for (int j = 0; j < vectors && block.shifts != nullptr; ++j) {
    shifts[j] = load_partial(block.shifts + j * kWidth, j + 1 < vectors ? kWidth : rest);
  }
  const auto take_row = [&](std::int64_t k, auto before) __attribute__((always_inline)) {
    Float* lane = lanes[k % kReductionLanes];
    const float* row = block.base + block.offsets[k];
    const int last = vectors - 1;
    for (int j = 0; j < last; ++j) {
      lane[j] = Reduction::combine(before(lane[j]),
                                   Reduction::prepare(load(row + j * kWidth), shifts[j]));
    }
    const Float x =
        rest == kWidth ? load(row + last * kWidth) : load_partial(row + last * kWidth, rest);
    lane[last] = Reduction::combine(before(lane[last]), Reduction::prepare(x, shifts[last]));
  };
  for (std::int64_t k = 0; k < lane_count; ++k) {
    take_row(
        k, [](const Float&) __attribute__((always_inline)) { return Reduction::identity(); });
  }
  for (std::int64_t k = kReductionLanes; k < block.count; ++k) {
    take_row(
        k, [](const Float& lane) __attribute__((always_inline)) { return lane; });
  }
  for (std::int64_t half = kReductionLanes / 2; half > 0; half /= 2) {
    for (std::int64_t i = 0; i < half && i + half < lane_count; ++i) {
      for (int j = 0; j < vectors; ++j) {
        lanes[i][j] = Reduction::combine(lanes[i][j], lanes[i + half][j]);
      }
    }
  }
  for (int j = 0; j < vectors; ++j) {
    store_partial(block.results + j * kWidth, lanes[0][j], j + 1 < vectors ? kWidth : rest);
  }
}

}  // namespace

ReduceBlock<float> reduce_block(BlockReduction reduction) {
  static constexpr ReduceBlock<float> kRows[] = {
#define BLOCK_REDUCTION(Name) &reduce_row_block<Name>,
#include "kernels/reduce/block_reductions.inc"
  };
  return kRows[static_cast<int>(reduction)];
}

ReduceColumns reduce_columns(BlockReduction reduction) {
  static constexpr ReduceColumns kRows[] = {
#define BLOCK_REDUCTION(Name) &reduce_column_block<Name>,
#include "kernels/reduce/block_reductions.inc"
  };
  return kRows[static_cast<int>(reduction)];
}

}  // namespace pliant::kernels::PLIANT_SIMD_LEVEL
