#pragma once

#include "kernels/reduce/element_source.h"

namespace pliant::kernels {

/// One per row of functions.inc.
enum class ReduceFunction : std::uint8_t {
#define REDUCE_FUNCTION(Name, ...) k##Name,
#include "kernels/reduce/functions.inc"
};

/// What happens to the total of a result.
enum class ReduceFinish : std::uint8_t { kKeep, kDivide, kSquareRoot, kLogarithm };

/// How a reduction is carried out: in which type, by which block reduction.
struct ReduceMethod {
  BlockReduction block = BlockReduction::kSum;
  ReduceFinish finish = ReduceFinish::kKeep;
  DType computing = DType::kF32;  ///< f32, f64, i64 or u64
};
/// The method for elements of `dtype`: 16-bit floats compute in f32, integers in 64 bits, or in f64
/// where the result is a root or a logarithm.
[[nodiscard]] ReduceMethod find_reduce_method(ReduceFunction function, DType dtype);

struct ReduceArguments {
  ReducedAxes axes;
  ElementSource source;
  ResultTarget target;
  ReduceMethod method;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(source.data);
    visit(target.data);
  }
};

/// Each result is a function of its elements, in the order that block_reduction.h says; the total is
/// rounded once. At least one element per result (the results of nothing are constants: see
/// fill_results).
///
/// Types:   any number; integer sums and products wrap.
/// NaN:     maximum and minimum are NaN if an element is.
/// Threads: results are split over context.parallel.
void reduce(const ReduceArguments& arguments, const KernelContext& context);

/// Whether each index of the loop in reduce() is one result; otherwise it is some neighbours.
[[nodiscard]] bool reduces_row_by_row(const ReduceArguments& arguments);

/// Writes one value to all results.
struct FillResultsArguments {
  ReducedAxes axes;
  ResultTarget target;
  alignas(8) std::byte value[8] = {};

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(target.data);
  }
};
void fill_results(const FillResultsArguments& arguments, const KernelContext& context);

/// Index of the largest or smallest element of each result; NaN counts as the largest and the
/// smallest alike, as in NumPy. Among equals the first or the last index wins.
enum class ArgReduction : std::uint8_t { kFirstMaximum, kLastMaximum, kFirstMinimum, kLastMinimum };
struct ArgReduceArguments {
  ReducedAxes axes;
  ElementSource source;
  ResultTarget target;  ///< i64
  ArgReduction reduction = ArgReduction::kFirstMaximum;
  DType computing = DType::kF32;  ///< f32, f64, i64 or u64

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(source.data);
    visit(target.data);
  }
};
void arg_reduce(const ArgReduceArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
