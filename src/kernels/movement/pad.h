#pragma once

#include <array>
#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/shape.h"

namespace pliant::kernels {

/// What stands in the border.
enum class BorderRule : std::uint8_t { kConstant, kReflect, kEdge, kWrap };

/// One axis: the result shows `count` elements of x from `first` on, at `before` in the result.
/// A crop makes `first` larger and `count` smaller; border elements repeat what is left.
struct PaddedAxis {
  std::int64_t before = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Axes are given outermost in the target's memory first, so the target is row-major.
struct PadArguments {
  const void* x = nullptr;
  const void* value = nullptr;  ///< kConstant: one element; null means zero
  void* target = nullptr;
  Shape shape;  ///< of the target; at least one axis
  Strides x_strides;
  std::array<PaddedAxis, kMaxRank> axes{};
  BorderRule rule = BorderRule::kConstant;
  std::int64_t element_size = 4;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(value);
    visit(target);
  }
};

/// Threads: splits the target by lines. Errors: none; kReflect needs a border smaller than `count`,
/// kEdge and kWrap at least one element where there is a border.
void pad(const PadArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
