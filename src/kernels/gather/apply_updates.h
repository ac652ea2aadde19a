#pragma once

#include <cstdint>

#include "tensor/dtype.h"

namespace pliant::kernels {

/// How an update meets the element that is there.
enum class UpdateRule : std::uint8_t { kReplace, kAdd, kMultiply, kMaximum, kMinimum };

/// element[i * element_stride] meets update[i * update_stride] for i in [0, count), in this order.
using ApplyUpdates = void (*)(void* elements, std::int64_t element_stride, const void* updates,
                              std::int64_t update_stride, std::int64_t count);

/// How the updates of one type meet elements under one rule.
struct UpdateFunctions {
  ApplyUpdates meet = nullptr;
  /// Null, or updates meet f32 accumulators of the elements instead: load() sets accumulators to the
  /// elements (its "updates") before, store() sets elements to the accumulators after all of them.
  ApplyUpdates load = nullptr;
  ApplyUpdates store = nullptr;

  [[nodiscard]] bool use_accumulators() const { return load != nullptr; }
};

/// Integers wrap; bool adds as "or" and multiplies as "and"; maximum and minimum are NaN if either is;
/// sums and products of f16 and bf16 are collected in f32 and rounded once.
[[nodiscard]] UpdateFunctions update_functions(DType dtype, UpdateRule rule);

}  // namespace pliant::kernels
