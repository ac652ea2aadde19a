#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/view.h"

namespace pliant::kernels {

/// One per row of functions.inc.
enum class ElementwiseFunction : std::uint8_t {
#define ELEMENTWISE_FUNCTION(Name, Types) k##Name,
#include "kernels/elementwise/functions.inc"
};
inline constexpr int kElementwiseFunctionCount = 0
#define ELEMENTWISE_FUNCTION(...) +1
#include "kernels/elementwise/functions.inc"
    ;

inline constexpr int kMaxElementwiseInputs = 3;

/// A stretch of elements that lie side by side in memory, of the types that the loop is for.
struct DenseStrip {
  const void* inputs[kMaxElementwiseInputs] = {};
  /// 1, or 0 for an input that is one element for the whole strip (if the loop takes those).
  std::int64_t steps[kMaxElementwiseInputs] = {1, 1, 1};
  void* result = nullptr;
  std::int64_t count = 0;
  double alpha = 0;  ///< the row's attributes, for functions that have them
  double beta = 0;
};
using DenseLoop = void (*)(const DenseStrip&);

/// A function on given types. Elements of f16 and bf16 are converted to f32 around its loop.
struct ElementwiseLoop {
  DenseLoop run = nullptr;
  int input_count = 0;
  DType inputs[kMaxElementwiseInputs] = {};
  DType result = DType::kF32;
  bool takes_single = false;  ///< whether steps may be 0
};

/// The loop for operands of type `dtype` (the last input's, for SELECT; the base's, for POW), or
/// one without `run` if the function has none for this type.
[[nodiscard]] ElementwiseLoop find_elementwise_loop(ElementwiseFunction function, DType dtype,
                                                    CpuLevel level);
/// The same without vectorised forms: what these are tested against.
[[nodiscard]] ElementwiseLoop reference_elementwise_loop(ElementwiseFunction function, DType dtype);

/// Converts `count` neighbours (CAST's rules, conversion_portable.cc).
[[nodiscard]] DenseLoop find_conversion(DType from, DType to, CpuLevel level);
void convert(DenseLoop conversion, const void* from, void* to, std::int64_t count);

/// Axes that a loop over a shape runs through, outermost first in the memory order of the result.
struct LoopAxes {
  int rank = 0;  ///< >= 1
  std::int64_t extents[kMaxRank] = {};
};

/// An operand of a loop over a shape.
struct StridedOperand {
  std::byte* data = nullptr;
  std::int64_t strides[kMaxRank] = {};  ///< in elements, one per axis of the loop
  int element_bytes = 0;
  enum class Access : std::uint8_t {
    kSingle,  ///< one element for all
    kLinear,  ///< lies in memory in the order of the loop
    kWalked,  ///< anything else
  };
  Access access = Access::kLinear;
};
struct ElementwiseOperand : StridedOperand {
  DenseLoop convert = nullptr;  ///< to the loop's type (of the result: from it), or null
};

/// One elementwise instruction. Made by make_elementwise().
struct ElementwiseArguments {
  ElementwiseLoop loop;
  LoopAxes axes;
  std::int64_t count = 0;                                  ///< product of extents
  ElementwiseOperand operands[kMaxElementwiseInputs + 1];  ///< inputs, then the result
  double alpha = 0;
  double beta = 0;
  bool by_rows = false;     ///< strips end where the last axis does
  bool needs_tile = false;  ///< strips are at most kElementwiseTile long

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    for (auto& operand : operands) {
      visit(operand.data);
    }
  }
};
inline constexpr std::int64_t kElementwiseTile = 512;

/// Arguments for `inputs` (as many as the loop has), whose strides are those after broadcasting to
/// the shape of `result`. Axes that lie together in all operands are merged.
[[nodiscard]] ElementwiseArguments make_elementwise(const ElementwiseLoop& loop,
                                                    const TensorView* inputs,
                                                    const TensorView& result, CpuLevel level);

/// result[i] = function(inputs[i]…) for any shape up to kMaxRank, any strides (0, negative,
/// permuted); the result's elements must not overlap. The result may be one of the inputs if their
/// strides are equal.
///
/// Numbers: each element depends on its own operands alone; f16 and bf16 compute in f32 with one
/// rounding. Threads: splits the elements over context.parallel from about 16,000 on.
void elementwise(const ElementwiseArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
