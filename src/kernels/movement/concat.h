#pragma once

#include <array>
#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/shape.h"

namespace pliant::kernels {

/// Tensors one after another along an axis of the target, at most `kMost`: all of them have to fit
/// into the arguments.
template <class ConcatPart, std::size_t kMost>
struct ConcatArguments {
  using Part = ConcatPart;
  static constexpr std::size_t kMaxParts = kMost;

  void* target = nullptr;
  Shape shape;  ///< of the target
  Strides target_strides;
  std::size_t axis = 0;
  std::int64_t element_size = 4;
  std::size_t count = 0;
  std::array<Part, kMaxParts> parts;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(target);
    for (std::size_t i = 0; i < count; ++i) {
      visit(parts[i].data);
    }
  }
  [[nodiscard]] std::size_t used_bytes() const {
    return sizeof *this - (kMaxParts - count) * sizeof(Part);
  }
};

/// A part of any strides.
struct StridedConcatPart {
  const void* data = nullptr;
  std::int64_t extent = 0;  ///< along the axis
  Strides strides;
};
using ConcatFewArguments = ConcatArguments<StridedConcatPart, 12>;
void concat_few(const ConcatFewArguments& arguments, const KernelContext& context);

/// A row-major part.
struct DenseConcatPart {
  const void* data = nullptr;
  std::int64_t extent = 0;  ///< along the axis
};
using ConcatManyArguments = ConcatArguments<DenseConcatPart, 64>;
void concat_many(const ConcatManyArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
