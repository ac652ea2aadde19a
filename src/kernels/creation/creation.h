#pragma once

#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/view.h"

// Tensors made from few numbers. All results are row-major; elements are moved or computed in
// parallel over the result. Errors: none.

namespace pliant::kernels {

/// Writes up to kMaxRank whole numbers: shapes as tensors.
struct StoreNumbersArguments {
  std::int64_t* target = nullptr;
  Shape numbers;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(target);
  }
};
void store_numbers(const StoreNumbersArguments& arguments, const KernelContext& context);

/// target[i] = *value for i in [0, count).
struct FillArguments {
  const void* value = nullptr;
  void* target = nullptr;
  std::int64_t count = 0;
  std::int64_t element_size = 4;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(value);
    visit(target);
  }
};
void fill(const FillArguments& arguments, const KernelContext& context);

/// target[i] = start + i * step in the arithmetic of the type: integers wrap, f16 and bf16 are
/// computed in f32 and rounded once.
struct RangeArguments {
  const void* start = nullptr;  ///< one element of `dtype`
  const void* step = nullptr;   ///< one element of `dtype`
  void* target = nullptr;
  std::int64_t count = 0;
  DType dtype = DType::kI64;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(start);
    visit(step);
    visit(target);
  }
};
void range(const RangeArguments& arguments, const KernelContext& context);

/// target[o, d, i] = d is indices[o, i] ? on : off, for an index in -depth..depth-1; any other
/// index gives `off` everywhere. Fractions of float indices are dropped.
struct OneHotArguments {
  const void* indices = nullptr;  ///< [outer, inner], row-major
  const void* off = nullptr;
  const void* on = nullptr;
  void* target = nullptr;  ///< [outer, depth, inner]
  std::int64_t outer = 1;
  std::int64_t depth = 1;
  std::int64_t inner = 1;
  DType index_dtype = DType::kI64;
  std::int64_t element_size = 4;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(indices);
    visit(off);
    visit(on);
    visit(target);
  }
};
void one_hot(const OneHotArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
